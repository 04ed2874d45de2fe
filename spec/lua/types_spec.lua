-- The annotations that editors use for completion and checks. Each function, option and field of
-- the public interface, as found at run time, has an annotation and an entry in a README, and vice
-- versa.
local readme = require "spec.support.readme"
local collide = require "collide"
local annotations = require "spec.support.annotations"
local bump = require "collide.bump"
local films = require "collide.film"
local keys = require "collide.keys"
local maps = require "spec.support.tiledmaps"
local scenes = require "collide.scene"
local sources = require "spec.support.sources"
local tiled = require "collide.tiled"

local filesOf, contents = sources.list, sources.read
local unpack = table.unpack or unpack -- luacheck: ignore

local db = annotations.read(filesOf "lua")

-- The `code` spans of a README outside its examples, each with its line.
local function spansOf(path)
  local spans, isExample, number = {}, false, 0
  local open = "" -- a span that goes on in the next line
  for next in (contents(path) .. "\n"):gmatch "([^\n]*)\n" do
    number = number + 1
    local line = open .. next
    open = ""
    if line:find "^%s*```" then
      isExample = not isExample
    elseif not isExample and select(2, line:gsub("`", "")) % 2 == 1 then
      open = line .. " "
    elseif not isExample then
      for span in line:gmatch "`([^`]+)`" do
        spans[#spans + 1] = { text = span, line = line, where = ("%s:%d"):format(path, number) }
      end
    end
  end
  return spans
end

local spans = {}
for _, path in ipairs(readme.DOCUMENTS) do
  for _, span in ipairs(spansOf(path)) do spans[#spans + 1] = span end
end

-- Whether a README has `prefix:name(`, or `name(` in a line that begins with a function of the same
-- prefix.
local function hasEntry(prefix, mark, name)
  for _, span in ipairs(spans) do
    if span.text:find(prefix .. mark .. name .. "%f[^%w_]") then return true end
    if span.text:find("^" .. name .. "%(") and span.line:find(prefix .. mark) then return true end
  end
  return false
end

local function hasWord(name)
  for _, span in ipairs(spans) do
    if span.text:find("%f[%w_]" .. name .. "%f[^%w_]") then return true end
  end
  return false
end

-- Whether the example of a scene shows a field.
local function isShown(name)
  return contents("examples/README.md"):find("\n  [^\n]*%f[%w]" .. name .. " = [^\n]*%-%- ") ~= nil
end

local function functionsOf(t)
  local found = {}
  for name, f in pairs(t) do
    if type(f) == "function" and not name:find "^_" then found[name] = true end
  end
  return found
end

local function methodsOf(object)
  return functionsOf(debug.getmetatable(object).__index)
end

local function annotated(class)
  local found = {}
  for name, field in pairs(assert(db.classes[class], class).fields) do
    if field.isFunction or class == "collide.bump.rect" then found[name] = true end
  end
  return found
end

local box = collide.rectangle(10, 10)
local world = collide.newWorld { width = 100, height = 100 }
local grid = collide.newGrid(8, 8, { cell = 10 })
grid:fill(0, 4, 8, 1, 3)
local ground = world:add { name = "ground", x = 0, y = 0, static = true,
  shape = collide.tiles(grid) }
local mover = world:add { x = 20, y = 0, shape = box }
local pool = world:newBullets { capacity = 4, radius = 1 }
local scene = scenes.load { width = 10, height = 10 }
local canvas = require("collide.canvas").new {}
local bumpWorld = bump.newWorld()
bumpWorld:add("me", 0, 0, 10, 10)
bumpWorld:add("wall", 20, 0, 10, 10)

local map = tiled.load(maps.map { maps.tiles { { 1 } }, maps.objects {
  maps.object { name = "coin", type = "coin", gid = 1, width = 16, height = 16 } } })

local character = world:newCharacter(world:add { x = 60, y = 25, shape = box })
character:move(0, 300, 0.1)
local view = (function()
  local before, module = rawget(_G, "love"), package.loaded["collide.love"]
  rawset(_G, "love", { graphics = {} })
  package.loaded["collide.love"] = nil
  local loaded = require "collide.love"
  package.loaded["collide.love"] = module
  rawset(_G, "love", before)
  return loaded
end)()

-- The objects of the interface: the class, its functions, the name in READMEs, and "." or ":".
local THINGS = {
  { "collide", functionsOf(collide), "collide", "%." },
  { "collide.World", methodsOf(world), "world", ":" },
  { "collide.Shape", methodsOf(box), "shape", ":" },
  { "collide.Grid", methodsOf(grid), "grid", ":" },
  { "collide.Bitmap", methodsOf(collide.newBitmap(4, 4)), "bitmap", ":" },
  { "collide.Bullets", methodsOf(pool), "pool", ":" },
  { "collide.Character", methodsOf(character), "character", ":" },
  { "collide.Snapshot", methodsOf(world:snapshot()), "snapshot", ":" },
  { "collide.Random", methodsOf(collide.newRandom(1)), "random", ":" },
  { "collide.Canvas", methodsOf(canvas), "canvas", ":" },
  { "collide.film", functionsOf(films), "films", "%." },
  { "collide.Film", methodsOf(films.new(collide.newWorld())), "film", ":" },
  { "collide.keys", functionsOf(keys), "keys", "%." },
  { "collide.Keys", methodsOf(keys.script ""), "keys", ":" },
  { "collide.love", functionsOf(view), "view", "%." },
  { "collide.tiled", functionsOf(tiled), "tiled", "%." },
  { "collide.tiled.Map", methodsOf(map), "map", ":" },
  { "collide.tiled.Layer", methodsOf(map.layers.ground), "layer", ":" },
  { "collide.scene", functionsOf(scenes), "scenes", "%." },
  { "collide.Scene", methodsOf(scene), "scene", ":" },
}

-- Functions of bump.lua, which its own README describes.
local BUMP = {
  { "collide.bump", functionsOf(bump) },
  { "collide.bump.World", methodsOf(bumpWorld) },
  { "collide.bump.rect", functionsOf(bump.rect) },
}

describe("the annotations of", function()
  for _, list in ipairs { THINGS, BUMP } do
    for _, thing in ipairs(list) do
      local class, functions = thing[1], thing[2]
      it(class .. " match its functions", function()
        assert.same(functions, annotated(class))
        for name, field in pairs(db.classes[class].fields) do
          local missing = field.isFunction and field.type.missing
          assert.is_nil(missing, ("%s: %s has no @param %s"):format(field.where, name,
            tostring(missing)))
        end
      end)
    end
  end

  it("modules are on the values that require returns", function()
    for name, class in pairs {
      ["collide"] = "collide", ["collide.bump"] = "collide.bump",
      ["collide.film"] = "collide.film", ["collide.keys"] = "collide.keys",
      ["collide.love"] = "collide.love", ["collide.scene"] = "collide.scene",
      ["collide.tiled"] = "collide.tiled",
    } do
      assert.equal(class, db.modules[name])
    end
  end)

  it("collide.assertions match its assertions", function()
    local found = {}
    for name in contents("lua/collide/assertions.lua"):gmatch "\nfunction find%.([%w_]+)" do
      found[name] = true
      assert.is_true(hasEntry("assert", "%.", name), "no entry of assert." .. name)
    end
    assert.same(found, annotated "luassert.internal")
  end)

  it("functions and fields use only types that exist", function()
    local OWN = { any = true, ["nil"] = true, boolean = true, number = true, integer = true,
      string = true, table = true, ["function"] = true, userdata = true, T = true, ["file*"] = true,
      ["ffi.ctype*"] = true, ["ffi.cdata*"] = true, ["true"] = true, ["false"] = true }
    local function check(type, where)
      if type.kind == "name" then
        local known = OWN[type.name] or db.classes[type.name] or db.aliases[type.name]
        assert.is_truthy(known, ("%s: no type %s"):format(where, type.name))
        for _, argument in ipairs(type.args or {}) do check(argument, where) end
      elseif type.kind == "array" then
        check(type.of, where)
      elseif type.kind == "fun" then
        for _, param in ipairs(type.params) do check(param.type, where) end
        for _, result in ipairs(type.returns) do check(result, where) end
        for _, overload in ipairs(type.overloads or {}) do check(overload, where) end
      end
      for _, member in ipairs(type) do check(member, where) end
    end
    for _, class in pairs(db.classes) do
      for _, field in pairs(class.fields) do check(field.type, field.where) end
      for _, parent in ipairs(class.parents) do assert.is_table(db.classes[parent], parent) end
    end
    for _, alias in pairs(db.aliases) do check(alias.type, alias.where) end
  end)
end)

-- Names after a dot that are not fields: file extensions, and the module in C.
local FILES = { lua = true, c = true, h = true, tmx = true, trace = true, core = true }

describe("a README has an entry of", function()
  for _, thing in ipairs(THINGS) do
    local class, functions, prefix, mark = thing[1], thing[2], thing[3], thing[4]
    it("each function of " .. class, function()
      for name in pairs(functions) do
        assert.is_true(hasEntry(prefix, mark, name), ("no entry of %s%s%s"):format(prefix,
          mark:sub(-1), name))
      end
    end)
  end

  it("nothing that does not exist", function()
    local known = {}
    for _, thing in ipairs(THINGS) do
      known[thing[3]] = known[thing[3]] or {}
      for name in pairs(db.classes[thing[1]].fields) do known[thing[3]][name] = true end
    end
    for name in pairs(db.classes["collide.bump.World"].fields) do known.world[name] = true end
    for name in pairs(db.classes["collide.bump"].fields) do
      known.bump = known.bump or {}
      known.bump[name] = true
    end
    known.assert = annotated "luassert.internal"
    known.assert.is_not = true
    for _, path in ipairs(filesOf "lua") do
      local module = path:match "^lua/collide/([%w/]+)%.lua$"
      if module then known.collide[module:match "^%w+"] = true end
    end
    local n, all = 0, { unpack(spans) }
    for _, path in ipairs { "CHANGELOG.md", "csrc/README.md", "spec/bench/README.md" } do
      for _, span in ipairs(spansOf(path)) do all[#all + 1] = span end
    end
    for _, span in ipairs(all) do
      for before, prefix, name in span.text:gmatch "(.?)%f[%w_](%w+)[.:]([%a_][%w_]*)%f[^%w_]" do
        if known[prefix] and before ~= "." and not FILES[name] then
          n = n + 1
          assert.is_true(known[prefix][name], ("%s: there is no %s in %s"):format(span.where, name,
            prefix))
        end
      end
    end
    assert.is_true(n > 200)
  end)
end)

-- Options -----------------------------------------------------------------------------

-- The names of the fields of a class and its parents.
local function fieldsOf(class)
  local found = {}
  for _, parent in ipairs(db.classes[class].parents) do
    for name in pairs(fieldsOf(parent)) do found[name] = true end
  end
  for name, field in pairs(db.classes[class].fields) do
    if not field.isFunction then found[name] = true end
  end
  return found
end

-- The names that the error about an unknown name lists.
local function offered(f, ...)
  local _, message = pcall(f, ...)
  local list = message:match "expected %(one of (.-)%), got" or error(message)
  local found = {}
  for name in list:gmatch "[^, ]+" do found[name] = true end
  return found
end

local NONE = { ["no such thing"] = 1 }

local OPTIONS = {
  { "collide.Options", collide.newWorld, NONE },
  { "collide.Fields", collide.newWorld, { fields = { ["no such thing"] = "x" } } },
  { "collide.GridOptions", collide.newGrid, 4, 4, 4, NONE },
  { "collide.BitmapOptions", collide.newBitmap, 4, 4, NONE },
  { "collide.GridRayOptions", collide.gridRay, 0, 0, 1, 1, NONE },
  { "collide.BulletOptions", world.newBullets, world, NONE },
  { "collide.CharacterOptions", world.newCharacter, world, mover, NONE },
  { "collide.Laser", pool.spawnLaser, pool, NONE },
  { "collide.SpawnOptions", pool.spawn, pool, 0, 0, 0, 0, NONE },
  { "collide.BulletChanges", pool.set, pool, pool:spawn(0, 0, 0, 0), NONE },
  { "collide.DrawOptions", view.draw, world, NONE },
  { "collide.FilmOptions", films.new, world, NONE },
  { "collide.tiled.Options", tiled.load, {}, NONE },
  { "collide.SceneDefinition", scenes.load, NONE },
  { "collide.Overrides", scenes.load, {}, NONE },
}

describe("the options of", function()
  for _, option in ipairs(OPTIONS) do
    it(option[1] .. " are annotated, and have entries", function()
      local found = offered(unpack(option, 2))
      assert.same(found, fieldsOf(option[1]))
      for name in pairs(found) do
        local has = hasWord(name) or option[1] == "collide.SceneDefinition" and isShown(name)
        assert.is_true(has, "no entry of " .. name)
      end
    end)
  end

  it("the tables in the reference exist", function()
    local known = {}
    for _, option in ipairs(OPTIONS) do
      for name in pairs(fieldsOf(option[1])) do known[name] = true end
    end
    local n, isTable = 0, false
    for line in (contents "examples/reference.md" .. "\n"):gmatch "([^\n]*)\n" do
      if line:find "^| option |" then
        isTable = true
      elseif not line:find "^|" then
        isTable = false
      elseif isTable and not line:find "^| %-" then
        for span in line:match("^|(.-)|"):gmatch "`([^`]+)`" do
          n = n + 1
          local name = span:match "^%w+"
          assert.is_true(known[name], "there is no option " .. name)
        end
      end
    end
    assert.is_true(n > 20)
  end)
end)

-- Fields --------------------------------------------------------------------------------

-- Checks that all readable fields of an object are annotated, and that all annotated fields exist,
-- unless they may be nil.
local function checkFields(class, object, found)
  found = found or {}
  for name in pairs(object) do
    if type(name) == "string" and not name:find "^_" then found[name] = true end
  end
  local fields = fieldsOf(class)
  for name in pairs(found) do
    assert.is_true(fields[name], ("%s of %s is not annotated"):format(name, class))
  end
  for name in pairs(fields) do
    local type = annotations.field(db, class, name).type
    assert.is_true(found[name] or object[name] ~= nil or annotations.isOptional(type),
      ("%s has no %s"):format(class, name))
  end
end

describe("the fields of", function()
  world:step()
  local _, _, hits = world:move(mover, 0, 100)
  local cols = select(3, bumpWorld:check("me", 50, 0))
  local objects = {
    ["collide.World"] = world,
    ["collide.MoveHit"] = hits[1],
    ["collide.Character"] = character,
    ["collide.Stats"] = world:stats(),
    ["collide.Contact"] = world:contacts({ x = 20, y = 35, shape = box }, ground)[1],
    ["collide.PartOverlap"] = world:partOverlaps({ x = 20, y = 35, shape = box }, ground)[1],
    ["collide.RayHit"] = world:rayCastAll(0, 0, 70, 70)[1],
    ["collide.Scene"] = scene,
    ["collide.tiled.Map"] = map,
    ["collide.tiled.Layer"] = map.layers.ground,
    ["collide.tiled.Kind"] = map.actors[1].tiles[1],
    ["collide.tiled.Tile"] = map:find("coin").tile,
    ["collide.tiled.Actor"] = map:find "coin",
    ["collide.bump.World"] = bumpWorld,
    ["collide.bump.Collision"] = cols[1],
    ["collide.bump.SegmentInfo"] = bumpWorld:querySegmentWithCoords(-5, 5, 50, 5)[1],
  }
  for class, object in pairs(objects) do
    it(class .. " are annotated", function()
      checkFields(class, object)
      for name in pairs(class:find "bump" and {} or fieldsOf(class)) do
        assert.is_true(hasWord(name), "no entry of " .. name)
      end
    end)
  end

  it("collide.Bullets match its options", function()
    assert.same(fieldsOf "collide.BulletOptions", fieldsOf "collide.Bullets")
    for name in pairs(fieldsOf "collide.BulletOptions") do
      local type = annotations.field(db, "collide.Bullets", name).type
      assert.is_true(pool[name] ~= nil or annotations.isOptional(type), name)
    end
  end)

  it("collide.Actor match those that a world reads", function()
    local read = fieldsOf "collide.Fields"
    read.at = nil -- x, y and angle may be in a table of any name
    assert.same(read, fieldsOf "collide.Actor")
  end)
end)
