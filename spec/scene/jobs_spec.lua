-- `collide test --jobs N`: processes of their own, on every system. `make test-windows` plays this.
local commandline = require "spec.support.commandline"
local core = require "collide.core"
local files = require "collide.files"

local GOOD = "return { frames = 1 }"

local isWindows = package.config:sub(1, 1) == "\\"

local folder, written

local function put(path, text)
  written[#written + 1] = folder .. "/" .. path
  assert(files.write(written[#written], text))
end

local function main(...)
  local code, out, err = commandline.run("test", folder, ...)
  for path in out:gmatch "page: ([^\n]+)" do written[#written + 1] = path end
  return code, out:gsub("%d+%.%d%d%d%d%d%d", "T"), err
end

describe("collide test --jobs", function()
  before_each(function()
    folder, written = os.tmpname(), {}
    os.remove(folder)
    folder = folder .. " (1) & it's ^b!" .. (isWindows and "" or ' "two" 100% $HOME')
    core.makeFolder(folder)
  end)

  after_each(function()
    for _, path in ipairs(written) do os.remove(path) end
    os.remove(folder)
  end)

  it("reports the same from several processes as from one, in the order of files", function()
    put("a.lua", "for _ = 1, 3e6 do end\n" .. GOOD)
    put("b.lua", "return { check = function() return false, 'it rains' end }")
    put("c.lua", GOOD)
    put("d.lua", "return { update = function(scene) error('oh') end }")
    put("e.lua", "return 5")
    put("f.lua", "return { check = function() return false, 'line\\none \"two\" \\\\3 \\30' end }")
    local code, out, err = main()
    assert.matches("^%+%-%+%*%-\n", out)
    for _, jobs in ipairs { "2", "3", "99" } do
      assert.same({ code, out, err }, { main("--jobs", jobs) })
    end
  end)

  it("prints what scenes print in other processes", function()
    put("a.lua", "io.write 'loud ' print 'and clear' io.write 'at last'\n" .. GOOD)
    put("b.lua", GOOD)
    local code, out = main("--jobs", "2")
    assert.equal(0, code)
    assert.matches("^loud and clear\nat last%+%+\n2 successes ", out)
  end)

  it("reports an error for each scene whose process has ended early", function()
    put("a.lua", "os.execute 'kill -9 $PPID'")
    put("b.lua", GOOD)
    put("c.lua", GOOD)
    local code, out = main("--jobs", "2")
    assert.equal(1, code)
    assert.matches("^%*%+%*\n1 success / 0 failures / 2 errors ", out)
    assert.matches("\nError -> " .. folder .. "/a.lua\nits process has ended early\n", out, 1, true)
  end)
end)
