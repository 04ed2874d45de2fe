-- The stack tracebacks of errors in a scene's code.

local files = require "collide.files"

local load = loadstring or load -- luacheck: ignore

-- The name of a folder that is too long to be shown whole in a traceback.
local LONG = "/" .. ("a rather long name/"):rep(5)

-- Runs a text as if it were the file `name`.
local function file(name, text)
  return assert(load(text, "@" .. name))()
end

-- The module as if it were in `folder`.
local function tracebackIn(folder)
  return file(folder .. "collide/scene/traceback.lua",
    assert(files.read "lua/collide/scene/traceback.lua"))
end

-- As if no memory was left for a stack.
describe("an error whose stack cannot be made", function()
  local traceback, original = require "collide.scene.traceback", debug.traceback
  local function set(f) debug.traceback = f end -- luacheck: ignore
  after_each(function() set(original) end)

  it("has the message that Lua gives, and no stack", function()
    set(function() error "not enough memory" end)
    local ok, failure = traceback.catch(error, "no fuel")
    set(original)
    assert.is_false(ok)
    assert.equal("string", type(failure.message))
    assert.same({ failure.message, "" }, { failure.err, failure.trace })
    assert.equal(failure.message, traceback.text(failure))
    local passed, outer = traceback.catch(traceback.pass, failure, "frame 3: ")
    assert.is_false(passed)
    assert.equal("frame 3: " .. failure.message, outer.message)
  end)
end)

local CALL = "return function(f, argument) f(argument) return 1 end"

for title, folder in pairs { ["in a short folder"] = "lua/", ["in a long folder"] = LONG } do
  describe("the stack of an error of a library " .. title, function()
    local traceback = tracebackIn(folder)
    local own = file(folder .. "collide/step.lua", CALL)

    it("has the frames of the game only", function()
      local _, failure = traceback.catch(own, 5)
      assert.matches("call", failure.message)
      assert.equal("", failure.trace)
      local game = file("game.lua", CALL)
      _, failure = traceback.catch(own, function(f) game(f) end, nil)
      assert.matches("^stack traceback:\n\tgame%.lua:1: in [^\n]+\n[^\n]+traceback_spec[^\n]+$",
        failure.trace)
      _, failure = traceback.catch(game, function() error("no fuel", 0) end)
      assert.equal("no fuel", failure.message)
      assert.matches("^stack traceback:\n.*traceback_spec.*game%.lua:1: in [^\n]+$", failure.trace)
      assert.is_nil(failure.trace:find("step.lua", 1, true))
      assert.is_nil(failure.trace:find("scene/traceback.lua", 1, true))
    end)

    it("has the frames of a game beside it, or in a folder with the same name", function()
      for _, name in ipairs { "game.lua", "step.lua", "my collide/game.lua" } do
        local game = file(folder .. name, "return function() error 'no fuel' end")
        local _, failure = traceback.catch(own, game)
        assert.matches(name:gsub("%.", "%%.") .. ":1: in ", failure.trace)
      end
    end)

    it("has the frames of a game in a folder with a long name", function()
      local game = file(LONG .. "a game/main.lua", "return function() error 'no fuel' end")
      local _, failure = traceback.catch(own, game)
      assert.matches("a game/main%.lua:1: in ", failure.trace)
    end)

    it("has each frame once if the error is passed on", function()
      local game = file("game.lua", "return function() error 'no fuel' end")
      local outer = file("outer.lua", CALL)
      local _, failure = traceback.catch(outer, function()
        local _, inner = traceback.catch(own, game)
        traceback.pass(inner, "frame 3: ")
      end)
      assert.equal("frame 3: game.lua:1: no fuel", failure.message)
      assert.equal(1, select(2, failure.trace:gsub("stack traceback:", "")))
      assert.equal(1, select(2, failure.trace:gsub("\n\tgame%.lua:1:", "")))
      assert.equal(1, select(2, failure.trace:gsub("\n\touter%.lua:1:", "")))
      assert.is_nil(failure.trace:find("scene/traceback.lua", 1, true))
    end)
  end)
end
