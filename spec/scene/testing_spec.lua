-- The instructions in README.md and in examples/README.md, "Testing your game": their files in an
-- empty folder, the output of busted and of the command line there, and that the documented fixes
-- work.
local script = require "spec.support.script"

local CURE = "self.x, self.y = self.x + nx * depth, self.y + ny * depth"

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a":gsub("\r\n", "\n")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function output(command)
  local child = assert(io.popen(command .. " 2>&1"))
  local text = child:read "*a"
  child:close()
  return text
end

-- The files of a document, by name.
local function filesOf(readme)
  local files = {}
  for name, text in readme:gmatch "<!%-%- file: (%S+) %-%->\n```lua\n(.-)\n```\n" do
    files[name] = text
  end
  return files
end

-- A folder with these files.
local function newFolder(files)
  local folder = os.tmpname()
  os.remove(folder)
  output(("mkdir -p %s/spec"):format(folder))
  for name, text in pairs(files) do write(folder .. "/" .. name, text) end
  return folder
end

local function remove(folder)
  output("rm -rf " .. folder)
end

-- The output of a program of the checkout, in a folder.
local function play(folder, program)
  local here = output "pwd":gsub("\n$", "")
  local paths = ("LUA_PATH='%s' LUA_CPATH='%s'"):format(package.path, package.cpath)
  return output(("cd %s && %s %s '%s'/%s"):format(folder, paths, script.interpreter(), here,
    program))
end

local function busted(folder)
  return play(folder, "spec/tools/busted.lua -o plainTerminal")
end

describe("README.md's test", function()
  it("passes", function()
    local folder = newFolder(filesOf(contents "README.md"))
    local said = busted(folder)
    remove(folder)
    assert.matches("1 success / 0 failures / 0 errors", said, 1, true)
  end)
end)

describe("examples/README.md's game", function()
  local readme = contents "examples/README.md"
  local files = filesOf(readme)
  local folder

  setup(function() folder = newFolder(files) end)

  teardown(function() remove(folder) end)

  it("fails as documented, and leaves a picture and a page", function()
    local said = busted(folder)
    local expected = readme:match "<!%-%- failures %-%->\n```\n(.-)\n*```\n"
    assert.equal(expected, said:match "(Failure.-)\n*$")
    local count = 0
    for path in expected:gmatch "build/failures/%S+" do
      count = count + 1
      assert.is_true(#contents(folder .. "/" .. path) > 500)
    end
    assert.equal(4, count)
  end)

  it("passes with the fix", function()
    local wrong = "self.x = self.x + nx * depth\n"
    local at, last = files["game.lua"]:find(wrong, 1, true)
    assert.is_truthy(readme:find(CURE, 1, true))
    write(folder .. "/game.lua", files["game.lua"]:sub(1, at - 1) .. CURE .. "\n"
      .. files["game.lua"]:sub(last + 1))
    assert.matches("2 successes / 0 failures / 0 errors", busted(folder), 1, true)
  end)
end)

describe("README.md's game as a scene", function()
  local readme, files, folder = contents "examples/README.md", filesOf(contents "README.md"), nil
  files["play.lua"] = filesOf(readme)["play.lua"]

  -- The first block of a document after a comment.
  local function block(name)
    return (readme:match("<!%-%- " .. name .. " %-%->\n```l?u?a?\n(.-)```\n"))
  end

  local function collide(arguments)
    return play(folder, "lua/collide/scene/main.lua " .. arguments)
  end

  -- Puts a line before the player's move.
  local function change(line)
    local at = files["rules.lua"]:find "      world:move%(self"
    write(folder .. "/rules.lua", files["rules.lua"]:sub(1, at - 1) .. line
      .. files["rules.lua"]:sub(at))
  end

  setup(function() folder = newFolder(files) end)

  teardown(function() remove(folder) end)

  it("is played, also with --rewind", function()
    assert.matches("\nhash %d+\n$", collide "run play.lua --rewind 3 --frames 60")
    assert.matches("^%+\n1 success / 0 failures ", collide "test play.lua")
  end)

  it("is fuzzed as documented, and correct with the fix", function()
    change(block "dash")
    assert.equal(block "fuzz", (collide "fuzz play.lua --seed 1":gsub("collide: [^\n]*\n", "")))
    assert.matches("always failed: the player has left the room\n$",
      collide "run play.lua --input build/failures/play-fuzz.input")
    change(block "mended")
    assert.equal("seed 1\nnothing found in 30 runs of 600 frames; "
      .. "keys: down, left, right, space, up\n", collide "fuzz play.lua --seed 1 --runs 30")
  end)
end)
