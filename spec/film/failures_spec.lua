-- What tests leave when they fail: real busted, in a folder of its own.
local collide = require "collide"
local files = require "collide.files"

local folder = os.tmpname()
os.remove(folder)

-- The Lua that runs this spec, from the checkout.
local function lua()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  return arg[i]
end

local function shell(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

local HERE = shell("pwd"):gsub("\n", "")

local function absolute(path)
  return (path:gsub("[^;]+", function(one)
    return one:sub(1, 2) == "./" and HERE .. one:sub(2) or one
  end))
end

-- Runs busted for the specs of the folder.
local function busted()
  return shell(("cd '%s' && LUA_PATH='%s' LUA_CPATH='%s' '%s' '%s/spec/tools/busted.lua' "
    .. "-o plainTerminal . < /dev/null"):format(folder, absolute(package.path),
    absolute(package.cpath), lua(), HERE))
end

local function put(name, text)
  assert(files.write(folder .. "/" .. name, text))
end

local HEAD = [[
local collide = require "collide"
require "collide.assertions"
local function new()
  local world = collide.newWorld()
  local hero = world:add { name = "hero", hp = 3, x = 0, y = 0, shape = collide.circle(5) }
  return world, hero, world:add { name = "wall", x = 30, y = 0, static = true,
    shape = collide.rectangle(10, 40) }
end
]]

-- The names of the files that are there, in alphabetical order.
local function left()
  local list = {}
  for name in shell("cd " .. folder .. "/build/failures && ls"):gmatch "[^\n]+" do
    list[#list + 1] = name
  end
  return list
end

local function has(text, piece)
  if not text:find(piece, 1, true) then error("not there: " .. piece, 2) end
end

local function read(name) return assert(files.read(folder .. "/build/failures/" .. name)) end

describe("busted with collide.assertions", function()
  before_each(function()
    shell("rm -rf " .. folder .. " && mkdir -p " .. folder)
    put(".busted", "return { default = { pattern = '_spec' } }")
  end)
  teardown(function() shell("rm -rf " .. folder) end)

  it("leaves a page and a picture of each test that fails in any way", function()
    put("a_spec.lua", HEAD .. [[
describe("a hero", function()
  it("loops, and asserts after", function()
    local world, hero, wall = new()
    for _ = 1, 40 do hero.x = hero.x + 0.7 world:step() end
    assert.is_not.overlaps(hero, wall)
  end)
  it("fails by assert.equal", function()
    local world, hero = new()
    for _ = 1, 7 do hero.x = hero.x + 1 world:step() end
    assert.equal(8, hero.x)
  end)
  it("raises in update", function()
    local world, hero = new()
    function hero:update() self.x = self.x + 1 if self.x > 5 then error "boom" end end
    for _ = 1, 9 do world:update(1) end
  end)
  pending("is not there yet", function()
    new():step()
    assert.is_true(false)
  end)
  it("passes, though an assertion in it fails", function()
    local world, hero, wall = new()
    world:step()
    assert.has_error(function() assert.hits(world, hero, wall) end)
  end)
  it("has no world", function() error "none" end)
  it("has a name of more than a hundred bytes, which is cut, and / \"signs\" <b>, "
    .. "and so on and so on and so on", function()
    local first, second = new(), new()
    first:step()
    second:step()
    error("both")
  end)
end)
]])
    put("b_spec.lua", HEAD .. [[
describe("a hero", function()
  it("fails by assert.equal", function()
    local world = new()
    world:step()
    assert.equal(1, 2)
  end)
end)
]])
    local said = busted()
    local long = "a_spec-a-hero-has-a-name-of-more-than-a-hundred-bytes-which-is-cut-and-signs-b-a"
    local expected = {}
    for _, name in ipairs { "a_spec-a-hero-fails-by-assert.equal",
      long:sub(1, 88) .. "nd-so-o", long:sub(1, 88) .. "nd-so-o-2",
      "a_spec-a-hero-loops-and-asserts-after", "a_spec-a-hero-raises-in-update",
      "b_spec-a-hero-fails-by-assert.equal" } do
      expected[#expected + 1] = name
    end
    local found = left()
    for _, name in ipairs(found) do assert.is_true(#name <= 100, name) end
    assert.equal(2 * #expected + 1, #found, said .. table.concat(found, "\n"))
    local index = read "index.html"
    for _, name in ipairs(found) do
      local base = name:match "(.+)%.html$"
      if base and base ~= "index" then
        has(index, ('href="%s.html"'):format(base))
        has(index, ('src="%s.svg"'):format(base))
        assert.matches("^<svg .*</svg>\n$", read(base .. ".svg"))
      end
    end
    local page = read "a_spec-a-hero-loops-and-asserts-after.html"
    has(page, "<title>a hero loops, and asserts after</title>")
    has(page, '"message":"frame 40: actor 1 \\"hero\\"')
    has(page, 'a_spec.lua:13"')
    has(page, '"start":1,')
    has(page, '"at":40,')
    has(page, "3 deep")
    has(read "a_spec-a-hero-loops-and-asserts-after.svg", "frame 40: actor 1")
    has(read "a_spec-a-hero-raises-in-update.html", "boom")
    has(read "a_spec-a-hero-raises-in-update.html", '"at":5,')
    local equal = read "a_spec-a-hero-fails-by-assert.equal.html"
    has(equal, "Expected objects to be")
    has(equal, '"name":"hp"')
    assert.matches("\n *HH+W?#*", said)
  end)

  it("deletes only the files in its index when a run begins", function()
    put("a_spec.lua", HEAD .. [[
it("fails", function() new():step() error "so" end)
]])
    busted()
    assert.same({ "a_spec-fails.html", "a_spec-fails.svg", "index.html" }, left())
    put("build/failures/mine.html", "mine")
    put("a_spec.lua", HEAD .. [[
it("fails elsewhere", function() new():step() error "so" end)
]])
    busted()
    assert.same({ "a_spec-fails-elsewhere.html", "a_spec-fails-elsewhere.svg", "index.html",
      "mine.html" }, left())
    put("a_spec.lua", HEAD .. [[
it("passes", function() new():step() end)
]])
    busted()
    assert.same({ "index.html", "mine.html" }, left())
    assert.equal("mine", read "mine.html")
  end)

  it("leaves pages of a failing before_each, and none for other tests", function()
    put("a_spec.lua", HEAD .. [[
describe("first", function()
  before_each(function() new():step() error "so" end)
  it("is not run", function() end)
end)
describe("second", function()
  it("fails", function() new():step() error "too" end)
end)
]])
    busted()
    assert.same({ "a_spec-first.html", "a_spec-first.svg", "a_spec-second-fails.html",
      "a_spec-second-fails.svg", "index.html" }, left())
  end)

  it("does not call a toSnapshot, and accepts invalid places", function()
    put("a_spec.lua", HEAD .. [[
it("steps", function()
  local world, hero = new()
  function hero.toSnapshot() error "called" end
  world:step()
  hero.x = nil
  assert.has_error(function() world:step() end)
  hero.x = 5
  world:step()
  assert.has_error(function() assert.at(hero, 0, 0) end)
end)
]])
    assert.matches("1 success", busted())
    assert.same({ "index.html" }, left())
  end)

  it("draws the parts of the actors that an assertion is about", function()
    put("a_spec.lua", HEAD .. [[
it("fails", function()
  local world, _, wall = new()
  local arrow = world:add { name = "arrow", x = 25, y = 0,
    shape = collide.polygon { 0, 0, 12, 0, 12, 12, 6, 3, 0, 12 } }
  world:step()
  assert.is_not.overlaps(arrow, wall)
end)
]])
    busted()
    local picture = read "a_spec-fails.svg"
    -- The outline has five points, and each part fewer.
    assert.matches('<polygon points="25 0 37 0 37 12 31 3 25 12" stroke="#', picture, 1, true)
    local _, parts = picture:gsub('<polygon points="%S+ %S+ %S+ %S+ %S+ %S+ ?%S* ?%S*" stroke=', "")
    assert.equal(#collide.polygon({ 0, 0, 12, 0, 12, 12, 6, 3, 0, 12 }):parts(), parts)
  end)

  it("shows an actor whose place is invalid at its last valid one", function()
    put("a_spec.lua", HEAD .. [[
it("fails", function()
  local world, hero = new()
  world:step()
  hero.x = 0 / 0
  error "so"
end)
]])
    busted()
    has(read "a_spec-fails.html", "hero")
    assert.matches("^<svg .*</svg>\n$", read "a_spec-fails.svg")
  end)
end)

describe("an assertion outside of busted", function()
  setup(function() shell("rm -rf " .. folder .. " && mkdir -p " .. folder) end)
  teardown(function() shell("rm -rf " .. folder) end)

  it("leaves a page and a picture that are named after it and the frame", function()
    put("program.lua", "local assert = require 'luassert'\n" .. HEAD .. [[
local world, hero, wall = new()
for _ = 1, 3 do world:step() end
for _ = 1, 2 do
  print(pcall(assert.overlaps, hero, wall))
end
]])
    local said = shell(("cd '%s' && LUA_PATH='%s' LUA_CPATH='%s' '%s' program.lua"):format(folder,
      absolute(package.path), absolute(package.cpath), lua()))
    has(said, "picture: build/failures/overlaps-frame-3.svg\n")
    has(said, "page: build/failures/overlaps-frame-3-2.html\n")
    assert.same({ "index.html", "overlaps-frame-3-2.html", "overlaps-frame-3-2.svg",
      "overlaps-frame-3.html", "overlaps-frame-3.svg" }, left())
    has(read "overlaps-frame-3.html", "<title>assert.overlaps</title>")
  end)
end)
