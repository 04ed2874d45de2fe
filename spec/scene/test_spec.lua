-- `collide test`: which files it plays, and its reports. Its processes are in jobs_spec.lua.
local commandline = require "spec.support.commandline"
local files = require "collide.files"

local function main(...)
  return commandline.run("test", ...)
end

local GOOD = "return { frames = 1 }"
local WRONG = "return { frames = 2, check = function() return false, 'it <rains> & \"pours\"' end }"
local RAISES = "return { update = function(scene) if scene.frame == 3 then error('oh') end end }"

local folder, written

-- Writes a file into the folder, which may be in one of its own.
local function put(path, text)
  local full = folder .. "/" .. path
  files.makeFolders(full:match "^(.*)/")
  assert(files.write(full, text))
end

describe("collide test", function()
  before_each(function()
    folder, written = os.tmpname(), {}
    os.remove(folder)
  end)

  after_each(function()
    os.execute("rm -rf '" .. folder .. "'")
    for _, path in ipairs(written) do os.remove(path) end
  end)

  -- Notes the pages that a report names, for their removal, and returns them.
  local function pagesIn(out)
    local pages = {}
    for path in out:gmatch "page: ([^\n]+)" do
      pages[#pages + 1], written[#written + 1] = path, path
    end
    return pages
  end

  -- Tests the folder. Returns the code, and the lines of TAP about files, without its path.
  local function tap(...)
    local code, out, err = main("--tap", ...)
    pagesIn(out)
    assert.equal("", err)
    local lines = {}
    for line in out:gmatch "[^\n]+" do
      local name = line:match "^(.*ok .*)$"
      if name then
        local from, to = name:find(folder .. "/", 1, true)
        lines[#lines + 1] = from and name:sub(1, from - 1) .. name:sub(to + 1) or name
      end
    end
    return code, lines
  end

  it("searches nested folders, except those whose name begins with a dot", function()
    put("b.lua", GOOD)
    put("a/z.lua", GOOD)
    put("a/deep er/x.lua", GOOD)
    put(".git/x.lua", "error()")
    put("a/notes.txt", "none")
    assert.same({ 0, { "ok 1 - a/deep er/x.lua", "ok 2 - a/z.lua", "ok 3 - b.lua" } },
      { tap(folder) })
    assert.same({ 0, { "ok 1 - b.lua", "ok 2 - a/z.lua", "ok 3 - a/deep er/x.lua" } },
      { tap(folder .. "/b.lua", folder .. "/a/z.lua", folder .. "/", folder) })
  end)

  -- Where the shell lists files and folders apart, as on Windows.
  it("searches folders that are listed after the files", function()
    put("b.lua", GOOD)
    put("deep/a.lua", GOOD)
    local lists = { "/ \nnotes.txt\nb.lua\n/ \ndeep\n", "/ \na.lua\n/ \n" }
    local popen = io.popen
    io.popen = function() -- luacheck: ignore
      local read = (table.remove(lists, 1) or ""):gmatch "([^\n]*)\n"
      return { read = read, lines = function() return read end, close = function() end }
    end
    local list = files.list(folder, "lua", true)
    io.popen = popen -- luacheck: ignore
    assert.same({ folder .. "/b.lua", folder .. "/deep/a.lua" }, list)
  end)

  it("skips files of folders that return no scene", function()
    put("a.lua", GOOD)
    put("class.lua", "return { new = function() end, update = function() end }")
    put("nothing.lua", "")
    put("number.lua", "return 5")
    put("misspelled.lua", "return { setup = function() end, udpate = function() end }")
    put("broken.lua", "return {")
    assert.same({ 1, { "ok 1 - a.lua", "not ok 2 - broken.lua", "not ok 3 - misspelled.lua" } },
      { tap(folder) })
    assert.same({ 1, { "not ok 1 - number.lua" } }, { tap(folder .. "/number.lua") })
    assert.same({ 1, { "not ok 1 - class.lua" } }, { tap(folder .. "/class.lua") })
  end)

  it("goes on after files that call os.exit", function()
    put("a.lua", "os.exit(0)")
    put("b.lua", "return { update = function() os.exit() end }")
    put("c.lua", GOOD)
    local exit = os.exit
    assert.same({ 1, { "not ok 1 - a.lua", "not ok 2 - b.lua", "ok 3 - c.lua" } },
      { tap(folder) })
    local _, out = main(folder)
    pagesIn(out)
    assert.matches("a.lua:1: attempt to call os.exit in a test\n", out, 1, true)
    assert.matches("frame 1, seed 1: " .. folder .. "/b.lua:1: attempt to call os.exit in a test\n",
      out, 1, true)
    assert.equal(exit, os.exit)
  end)

  it("names folders that have no scene", function()
    put("number.lua", "return 5")
    put("empty/none.txt", "")
    local code, out, err = main(folder)
    assert.same({ 1, ("collide: %s: there is no scene in it\n"):format(folder) }, { code, err })
    assert.matches("^\n0 successes / ", out)
    code, out, err = main(folder .. "/empty")
    assert.equal("", out)
    assert.same({ 1, ("collide: %s/empty: there is no scene in it\n"):format(folder) },
      { code, err })
    code, out, err = main(folder, "nowhere")
    assert.equal("", out)
    assert.same({ 1, "collide: nowhere: there is no such folder\n" }, { code, err })
  end)

  it("loads modules anew for each scene, from its folder and the tested one", function()
    for _, name in ipairs { "a", "b" } do
      put(name .. "/scene.lua", ([[
        local rules, shared = require "rules", require "shared"
        shared.count = shared.count + 1
        return { check = function()
          return rules == "%s" and shared.count == 1
        end }]]):format(name))
      put(name .. "/rules.lua", ("return '%s'"):format(name))
    end
    put("shared.lua", "return { count = 0 }")
    local path = package.path
    assert.same({ 0, { "ok 1 - a/scene.lua", "ok 2 - b/scene.lua" } }, { tap(folder) })
    assert.equal(path, package.path)
    assert.is_nil(package.loaded.rules)
  end)

  it("leaves a page of each failure, at the failing frame", function()
    put("a.lua", WRONG)
    put("sub/a.lua", RAISES)
    put("sub-a.lua", "return { always = function(scene) return scene.frame < 2 end }")
    put("good.lua", GOOD)
    put("none.lua", "return { setup = function() error 'no' end }")
    local code, out = main(folder)
    assert.equal(1, code)
    local pages, at = pagesIn(out), {}
    for i, page in ipairs(pages) do
      at[i] = tonumber(files.read(page):match '"at":(%d+)')
    end
    assert.same({ 2, 2, 2 }, at)
    assert.matches('"message":"check failed: it ', files.read(pages[1]), 1, true)
    local base = "build/failures/" .. folder:sub(2):gsub("/", "-")
    assert.same({ base .. "-a.html", base .. "-sub-a.html", base .. "-sub-a-2.html" }, pages)
    assert.matches(("\nFailure -> %s/a.lua\ncheck failed: it <rains> & \"pours\"\npage: %s\n")
      :format(folder, pages[1]), out, 1, true)
  end)

  it("reports in TAP", function()
    put("a #1 \\.lua", GOOD)
    put("b.lua", "return { check = function() return false, 'one\\ntwo\\r' end }")
    local code, out = main("--tap", folder)
    pagesIn(out)
    assert.equal(1, code)
    local lines = {}
    for line in out:gmatch "[^\n]*\n" do lines[#lines + 1] = line end
    assert.same({ "TAP version 13\n", ("ok 1 - %s/a \\#1 \\\\.lua\n"):format(folder),
      ("not ok 2 - %s/b.lua\n"):format(folder), "# check failed: one\n", "# two \n",
      ("# page: %s\n"):format(written[1]), "1..2\n" }, lines)
  end)

  -- The XML -------------------------------------------------------------------------

  local ENTITIES = { ["&amp;"] = "&", ["&lt;"] = "<", ["&gt;"] = ">", ["&quot;"] = '"',
    ["&#10;"] = "\n", ["&#9;"] = "\t" }

  -- The original of an escaped XML text. Raises if it is invalid.
  local function plain(text)
    assert.is_nil(text:find '[<>"%z\1-\31\127]', text)
    return (text:gsub("&[^;]*;?", function(entity)
      return ENTITIES[entity] or error("no entity: " .. entity)
    end))
  end

  -- Reads a document: a list of elements in their order, each with its tag, depth, attributes and
  -- text. Raises if it is not well-formed.
  local function read(xml)
    local elements, inside = {}, {}
    local at = select(2, xml:find '^<%?xml version="1%.0" encoding="UTF%-8"%?>\n') + 1
    while at <= #xml do
      local text, closing, name, inner, last = xml:match("^([^<]*)<(/?)(%w+)([^<>]*)>()", at)
      if not text then
        assert.matches("^%s*$", xml:sub(at))
        break
      end
      local attributes, ending = inner:match "^(.-)(/?)$"
      if inside[1] then
        inside[#inside].text = inside[#inside].text .. plain(text:gsub("\n", "&#10;"))
      else
        assert.equal("", text:match "^%s*(.-)$")
      end
      if closing == "/" then
        assert.equal(table.remove(inside).tag, name)
      else
        local element = { tag = name, depth = #inside, text = "" }
        local rest = attributes:gsub('%s+([%w]+)="([^"]*)"', function(key, value)
          assert.is_nil(element[key])
          element[key] = plain(value)
          return ""
        end)
        assert.equal("", rest)
        elements[#elements + 1] = element
        if ending == "" then inside[#inside + 1] = element end
      end
      at = last
    end
    assert.equal(0, #inside)
    return elements
  end

  it("writes a report in the XML of JUnit", function()
    put("a & b/<c>.lua", GOOD)
    put("d.lua", WRONG)
    put("e.lua", "return { update = function() error('\\1 \\200 ]]> \\tname=\"x\"') end }")
    local path = folder .. "/report.xml"
    local code, out = main(folder, "--junit", path)
    pagesIn(out)
    assert.equal(1, code)
    local elements = read(assert(files.read(path)))
    local names = {}
    for i, element in ipairs(elements) do names[i] = ("  "):rep(element.depth) .. element.tag end
    assert.same({ "testsuites", "  testsuite", "    testcase", "    testcase", "      failure",
      "    testcase", "      error" }, names)
    for i = 1, 2 do
      local suite = elements[i]
      assert.same({ "3", "1", "1", "0" },
        { suite.tests, suite.failures, suite.errors, suite.skipped })
      assert.matches("^%d+%.%d+$", suite.time)
    end
    assert.equal(folder .. "/a & b/<c>.lua", elements[3].file)
    assert.same({ folder .. "/a & b", "<c>" }, { elements[3].classname, elements[3].name })
    assert.matches("^%d+%.%d+$", elements[3].time)
    assert.equal('check failed: it <rains> & "pours"', elements[5].message)
    assert.equal(elements[5].message .. "\npage: " .. written[1], elements[5].text)
    assert.matches('frame 1, seed 1: .*:1: \239\191\189 \239\191\189 ]]> \tname="x"$',
      elements[7].message)
    assert.matches("\nstack traceback:\n", elements[7].text)
  end)

  it("reports an error if the report cannot be written", function()
    put("a.lua", GOOD)
    local code, _, err = main(folder, "--junit", folder .. "/none/x.xml")
    assert.equal(1, code)
    assert.matches("^collide: cannot write the report: [^\n]+\n$", err)
  end)

  it("refuses other options", function()
    local function fails(message, ...)
      local code, out, err = main(...)
      assert.same({ 2, "", "collide: " .. message .. "\n" }, { code, out, err })
    end
    fails('--jobs expected (whole number from 1 to 2^53), got "0"', "x", "--jobs", "0")
    fails('--part expected (part of a list such as 2/4), got "3/2"', "x", "--part=3/2")
    fails('--part expected (part of a list such as 2/4), got "0/2"', "x", "--part=0/2")
    fails("unknown option --fast; there are --jobs, --junit, --part, --tap", "x", "--fast")
  end)
end)
