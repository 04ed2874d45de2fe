-- Calls every function of the public interface with each argument in turn missing, surplus, of a
-- wrong type, nan, infinite, or a foreign userdata. Each call must raise an error at the caller's
-- line that names the function, the argument, what was expected and what it got. The same for each
-- option of each table of options. The spec compares its list with the interface itself: it fails
-- for a function or an option that is missing here.
local collide = require "collide"
local scenes = require "collide.scene"

local unpack = table.unpack or unpack -- luacheck: ignore

local NIL = {} -- stands for nil in lists of values

-- The values that every argument is tried with, and their names in messages.
local thread = coroutine.create(function() end)
local ANYTHING = {
  { "nil", NIL, "nil" }, { "nan", 0 / 0, "nan" }, { "inf", math.huge, "inf" },
  { "-inf", -math.huge, "-inf" }, { "text", "text", 'string "text"' },
  { "true", true, "boolean true" }, { "table", {}, "table" }, { "function", print, "function" },
  { "userdata", io.stdout, "userdata" }, { "thread", thread, "thread" },
}

-- The kinds of arguments: a good value, which of the values above are also good, further bad
-- values, and the texts of messages that differ from the usual ones.
local box = collide.rectangle(10, 10)
local placed = { x = 0, y = 0, shape = box }
local KINDS = {
  coordinate = { 1, more = { 2e12, -2e12 } },
  cell = { 1, more = { 2 ^ 51 } },
  size = { 2, more = { 0, -1, 2e12 } },
  angle = { 1, more = { 2 ^ 31 } },
  turn = { 1, more = { 2 ^ 29 } },
  turned = { 1, more = { 51, -51 } },
  scale = { 2, more = { 0, 2e12 } },
  duration = { 0, more = { -1 } },
  seconds = { 1, more = { 0, -1 } },
  count = { 1, more = { 0, 1.5, -1, 2 ^ 60 } },
  frames = { 1, more = { -1, 1.5 } },
  bullet = { 1, more = { 0, 1.5, -1, 2 ^ 60 } },
  tag = { 7, more = { 1.5, 2 ^ 60 } },
  depth = { 3, more = { 0, 1.5, 17 } },
  alpha = { 0.5, more = { -0.1, 1.1 } },
  samples = { 3, more = { 0, 1.5, 65 } },
  margin = { 1, more = { -1, 2e12 } },
  reach = { 1, more = { -1, 2e12 } },
  threshold = { 1, more = { -1, 2.5 } },
  byte = { 1, more = { -1, 256, 0.5 } },
  whole = { 1, more = { 0.5 } },
  place = { 1, more = { -1, 4, 0.5 } },
  mask = { 1, more = { -1, 256, 0.5 }, good = { table = true } },
  boolean = { true, good = { ["true"] = true } },
  string = { "text", good = { text = true } },
  bytes = { ("x"):rep(16), names = { text = "bytes" }, got = { text = "4" } },
  group = { "text", good = { text = true }, more = { "*" } },
  broadphase = { "grid" },
  corners = { "all" },
  mode = { "coverage" },
  fill = { "fill" },
  side = { 1, more = { 0, -1, 5, 0.5 } },
  seed = { 1, more = { -1, 0.5, 2 ^ 60 } },
  entries = { { { at = 0 } } },
  bigSeed = { 1, more = { 0.5, 2 ^ 60 } },
  finite = { 1 },
  upTo = { 2, more = { 0, 1.5, 2 ^ 60 } },
  above = { 2, more = { 0 } },
  bytes64 = { ("x"):rep(64), names = { text = "bytes" }, got = { text = "4" } },
  ["function"] = { print, good = { ["function"] = true } },
  options = { {}, good = { table = true } },
  target = { {}, good = { table = true } },
  shape = { box },
  grid = { collide.newGrid(4, 4) },
  table = { {}, good = { table = true } },
  placed = { placed, names = { table = ".shape" }, got = { table = "nil" } },
  points = { { 0, 0, 9, 0, 0, 9 }, got = { table = "0" } },
  numbers = { { 1, 2 }, good = { table = true } },
  same = { { 1, 2 }, got = { table = "0" } },
  radii = { { 1, 2 }, got = { table = "0", nan = "nan" } },
  filter = { "*", good = { text = true, ["function"] = true }, got = { table = "an empty list" } },
  response = { "slide", good = { ["function"] = true } },
  turnResponse = { "touch", good = { ["function"] = true }, more = { "slide", "bounce" } },
  ignore = { placed, good = { table = true } },
}

-- Parses "name:kind name:kind?" to a list of { name, kind, optional }.
local function parse(signature)
  local list = {}
  for name, kind, optional in signature:gmatch("([%w_]+):(%w+)(%??)") do
    assert(KINDS[kind], kind)
    list[#list + 1] = { name = name:gsub("_", " "), kind = KINDS[kind], optional = optional == "?" }
  end
  return list
end

local HERE = debug.getinfo(1, "S").short_src
local CALL = debug.getinfo(1, "l").currentline + 2
local function call(f, args, n)
  local first, second = f(unpack(args, 1, n))
  return first, second
end

-- Returns the message that a call raises. Fails unless it has the caller's line and names `fn`.
local function refuses(fn, f, args, n, what)
  local real = {}
  for i = 1, n do
    if args[i] ~= NIL then real[i] = args[i] end
  end
  local ok, message = pcall(call, f, real, n)
  local told = ("%s with %s"):format(fn, what)
  if ok then error(told .. " has not raised", 0) end
  local place = ("%s:%d: "):format(HERE, CALL)
  if type(message) ~= "string" or message:sub(1, #place) ~= place then
    error(("%s: not at the caller's line: %s"):format(told, tostring(message)), 0)
  end
  message = message:sub(#place + 1)
  if message:sub(1, #fn) ~= fn then error(told .. ": " .. message, 0) end
  return message:sub(#fn + 1), told
end

-- Checks that a message names the argument, what was expected, and what it got.
local function names(message, told, name, got)
  local argument, words, given = message:match("^: (.-) expected (%b()), got (.*)$")
  local right = argument and #words > 2
    and (argument == name or argument:sub(1, #name + 1):match("^" .. name .. "[%.%[]")
      or argument:sub(-#name) == name)
  if right and given:sub(1, #got) ~= got then
    right = given:sub(1, 7) == "number " and given:sub(8, 7 + #got) == got
  end
  if not right then
    error(("%s: it should say that %s is %s, but: %s"):format(told, name, got, message), 0)
  end
end

local function described(value)
  local meta = debug.getmetatable(value)
  local class = type(value) ~= "string" and meta and meta.__name
  return class and class:match("^collide%.(%u%w*)$"):lower()
    or type(value) == "number" and ("%.14g"):format(value)
    or type(value) == "string" and ('string "%s"'):format(value)
    or type(value)
end

-- Tries each wrong value of one argument or option: `try` makes the call with it.
local function everyWrong(param, try)
  local kind = param.kind
  for _, any in ipairs(ANYTHING) do
    local label, value, got = any[1], any[2], any[3]
    local good = kind.good and kind.good[label] or label == "nil" and param.optional
    if not good then
      local name = kind.names and kind.names[label]
      name = name and name:sub(1, 1) == "." and param.name .. name or name or param.name
      try(value, label, name, kind.got and kind.got[label] or got)
    end
  end
  for _, value in ipairs(kind.more or {}) do
    try(value, described(value), param.name, described(value))
  end
end

-- Checks a function with one of its signatures. `self` is the first argument of a method. `fewer`
-- lists smaller numbers of arguments that are also enough.
local function check(fn, f, signature, good, self, fewer)
  local params, least = parse(signature), 0
  local before = self ~= nil and 1 or 0
  local args = { self }
  for i, param in ipairs(params) do
    args[before + i] = good and good[i]
    if args[before + i] == nil then args[before + i] = param.kind[1] end
    if not param.optional then least = i end
  end
  local function with(i, value)
    local changed = {}
    for k = 1, before + #params do changed[k] = args[k] end
    changed[before + i] = value
    return changed
  end
  for i, param in ipairs(params) do
    everyWrong(param, function(value, label, name, got)
      local message, told = refuses(fn, f, with(i, value), before + #params,
        ("%s = %s"):format(param.name, label))
      names(message, told, name, got)
    end)
  end
  local enough = {}
  for _, n in ipairs(fewer or {}) do enough[n] = true end
  for n = 0, least - 1 do
    if not enough[n] then
      local message, told = refuses(fn, f, args, before + n, n .. " arguments")
      if not (message:find "^: .* expected %(" or message:find "^ takes ")
        or not message:find(", got ", 1, true) then
        error(told .. ": " .. message, 0)
      end
    end
  end
  if signature:sub(-3) == "..." then return end
  for _, extra in ipairs { 1, false, {}, NIL } do
    local message, told = refuses(fn, f, with(#params + 1, extra), before + #params + 1,
      "one argument more")
    local count = ("got %d argument%s"):format(#params + 1, #params == 0 and "" or "s")
    if not (message:find("^ takes ") and message:find(count, 1, true)) then
      error(("%s: %q should be in %s"):format(told, count, message), 0)
    end
  end
end

-- Checks the functions of one table, by name: a signature, or a list of { signature, good values,
-- numbers of arguments that are enough }. The result of state() must not change.
local function checkAll(prefix, found, table_, self, state)
  for name in pairs(found) do
    assert(table_[name], prefix .. name .. " is public, and missing from this table")
  end
  for name, signatures in pairs(table_) do
    local f = assert(found[name], prefix .. name .. " is not there")
    it(prefix .. name, function()
      local before = state and state()
      local variants = type(signatures) == "string" and { { signatures } } or signatures
      for _, variant in ipairs(variants) do
        check(prefix .. name, f, variant[1], variant[2], self, variant[3])
      end
      assert.same(before, state and state())
    end)
  end
end

local function functionsOf(t)
  local found = {}
  for name, f in pairs(t) do
    if type(f) == "function" and not name:find "^_" then found[name] = f end
  end
  return found
end

local function methodsOf(object)
  return functionsOf(debug.getmetatable(object).__index)
end

-- Calls every method on all other kinds of objects.
local function checkSelf(prefix, object, others)
  for name, method in pairs(methodsOf(object)) do
    it(prefix .. name .. " with a wrong self", function()
      for _, self in ipairs(others) do
        local message = refuses(prefix .. name, method, { self, 1, 1, 1, 1 }, 5, tostring(self))
        assert.matches("^: self expected %(.*%), got ", message)
        assert.matches("; call it with a colon", message, 1, true)
      end
      assert.matches("^: self expected %(.*%), got nil", (refuses(prefix .. name, method, {}, 0,
        "nothing")))
    end)
  end
end


describe("the interface refuses wrong arguments:", function()
  KINDS.first = { 0, good = { table = true } }
  KINDS.list = { { 0, 0, 9, 0, 0, 9 }, got = { table = "0" }, names = {} }
  for _, any in ipairs(ANYTHING) do
    if any[1] ~= "table" then KINDS.list.names[any[1]] = "x1" end
  end
  local looks = { [2] = false, [3] = { oneWay = "left" }, [4] = { sensor = true } }
  KINDS.looks = { looks, good = { table = true } }
  KINDS.rayOptions = { {}, good = { table = true, ["function"] = true } }
  KINDS.d = { 4, good = { table = true }, more = { 0, 1.5, -1, 2 ^ 60 } }
  local ends, apart = "x1:coordinate y1:coordinate x2:coordinate y2:coordinate", { 0, 0, 9, 9, 1 }
  KINDS.member1 = { box, good = { table = true } }
  KINDS.members = { { box, box }, names = {}, got = { table = "nil" } }
  for _, any in ipairs(ANYTHING) do KINDS.members.names[any[1]] = "shape 1" end
  local members = {
    { "shape_1:member1 shape_2:shape shape_3:shape...", nil, { 1, 2 } }, { "shapes:members..." },
  }
  checkAll("collide.", functionsOf(collide), {
    rectangle = {
      { "w:size h:size..." }, { "x:coordinate y:coordinate w:size h:size", nil, { 2 } },
    },
    circle = { { "r:size..." }, { "x:coordinate y:coordinate r:size", nil, { 1 } } },
    capsule = { { ends .. " r:size", apart } },
    segment = { { ends, apart } },
    polygon = {
      { "x1:first y1:coordinate x2:coordinate y2:coordinate x3:coordinate y3:coordinate...",
        { 0, 0, 9, 0, 0, 9 } },
      { "points:list" },
    },
    chain = {
      { "x1:first y1:coordinate x2:coordinate y2:coordinate...", { 0, 0, 9, 0 } },
      { "points:list closed:boolean?" },
    },
    compound = members,
    tiles = "grid:grid shapes:looks?",
    overlap = "a:placed b:placed touching:boolean?",
    distance = "a:placed b:placed",
    gridRay = "x1:cell y1:cell x2:cell y2:cell options:rayOptions? visit:function?",
    gridRay3 =
      "x1:cell y1:cell z1:cell x2:cell y2:cell z2:cell options:rayOptions? visit:function?",
    newWorld = "options:options?",
    newGrid = { { "w:count h:count d:d? options:options?" } },
    newBitmap = "w:count h:count options:options?",
    newRandom = "seed:bigSeed", newPlan = "entries:entries",
    sin = "a:angle", cos = "a:angle", atan2 = "y:finite x:finite",
  })
end)

describe("the interface refuses a colon in place of a dot:", function()
  for name, f in pairs(functionsOf(collide)) do
    it("collide:" .. name, function()
      for _, args in ipairs { {}, { 9 }, { 9, 9 }, { placed, placed }, { { 0, 0, 9, 0, 0, 9 } } } do
        local message = refuses("collide." .. name, f, { collide, unpack(args) }, 1 + #args,
          "a colon")
        assert.equal(": called with a colon; call it with a dot", message)
      end
    end)
  end
end)

describe("the interface refuses wrong arguments:", function()
  local world = collide.newWorld()
  local actor = world:add { x = 0, y = 0, shape = box }
  local pool = world:newBullets { capacity = 9, radius = 1 }
  KINDS.actor = { actor }
  KINDS.member = { actor, names = { text = "a" } }
  KINDS.addable = { placed, names = { table = "shape" }, got = { table = "nil" } }
  KINDS.explained = { actor }
  KINDS.who = { actor, good = { text = true } }
  KINDS.pool = { { capacity = 1, radius = 1 }, names = { table = "capacity" },
    got = { table = "nil" } }
  KINDS.names = { { "name" }, good = { table = true } }
  KINDS.filled = { {}, good = { table = true }, more = { world, pool, box } }
  KINDS.snapshot = { world:snapshot(), names = {}, got = {} }
  KINDS.held = { world:snapshot(), names = { text = "make" }, got = { text = "nil" } }
  KINDS.none = {}
  world:step()
  pool:spawn(50, 50, 0, 0)
  local function state()
    return { world:hash(), world:count(), world:actors(), pool:count(), pool:get(1),
      world:canHit("a", "text"), world:canHit("text", "text") }
  end
  local corners = "x1:coordinate y1:coordinate x2:coordinate y2:coordinate "
  local some = " filter:filter? ignore:ignore?"
  local more = some .. " into:filled?"
  local way = "actor:actor dx:coordinate dy:coordinate filter:filter? response:response?"
  checkAll("world:", methodsOf(world), {
    add = "actor:addable",
    remove = "actor:table", has = "actor:table",
    count = "filter:filter?", actors = "filter:filter?",
    clear = "", step = "dt:duration?", candidates = "", cells = "", hash = "",
    refresh = "actor:actor?", hits = "actor:actor?",
    update = "dt:duration",
    advance = "dt:duration fixed:size? max:count?",
    draw = "...",
    stats = "into:filled?",
    setRule = "groupA:string groupB:string hit:boolean",
    canHit = "a:who b:who",
    explain = "a:explained b:explained",
    overlap = "a:placed b:placed", contacts = "a:placed b:placed", distance = "a:placed b:placed",
    partOverlaps = "a:placed b:placed",
    teleport = "actor:actor x:coordinate y:coordinate angle:angle?",
    interpolate = "actor:actor alpha:alpha",
    queryPoint = "x:coordinate y:coordinate" .. more,
    queryRect = "x:coordinate y:coordinate w:size h:size" .. more,
    queryCircle = "x:coordinate y:coordinate r:size" .. more,
    queryShape = "placed:placed" .. more,
    nearest = "x:coordinate y:coordinate k:count?" .. more,
    rayCast = corners .. some, rayCastAll = corners .. more,
    shapeCast = "placed:placed dx:coordinate dy:coordinate" .. some,
    move = way .. " into:filled?", check = way .. " into:filled?",
    fits = "placed:placed" .. some,
    turn = "actor:actor da:turned filter:filter? response:turnResponse? into:filled?",
    carry = "actor:actor dx:coordinate dy:coordinate da:angle? filter:filter?",
    newCharacter = "actor:actor options:options?",
    newBullets = "options:pool",
    pools = "", trace = "fn:function?",
    snapshot = "fields:names? into:snapshot?", restore = "snapshot:held make:none?",
  }, world, state)

  checkAll("snapshot:", methodsOf(KINDS.snapshot[1]), {
    pack = "", hash = "", diff = "other:snapshot",
  }, KINDS.snapshot[1])

  KINDS.target.good = { table = true, nil_ = true }
  KINDS.laser = { { points = { 0, 0, 1, 1 }, width = 1 }, names = { table = "points" },
    got = { table = "nil" } }
  local at, to = "x:coordinate y:coordinate ", "vx:coordinate vy:coordinate "
  KINDS.spawned = { 5, good = { table = true }, more = { 0.5, 2 ^ 60 } }
  checkAll("pool:", methodsOf(pool), {
    spawn = at .. to .. "options:spawned?",
    spawnAimed = at .. "tx:coordinate ty:coordinate speed:coordinate options:spawned?",
    spawnRing = at .. "n:count speed:coordinate phase:turn? options:spawned?",
    spawnFan = at .. "n:count angle:turn spread:turn speed:coordinate options:spawned?",
    spawnLaser = "laser:laser",
    get = "bullet:bullet", tag = "bullet:bullet", kill = "bullet:bullet",
    set = "bullet:bullet changes:options",
    killCircle = at .. "r:size",
    clear = "", count = "", remove = "", arrays = "",
    each = "fn:function alpha:alpha?",
    fill = "target:target alpha:alpha? quads:none?",
  }, pool, state)

  local character = world:newCharacter(world:add { x = 500, y = 500, shape = box })
  checkAll("character:", methodsOf(character), {
    move = "vx:coordinate vy:coordinate dt:duration", drop = "",
  }, character, state)

  local grid, grid3 = collide.newGrid(4, 4), collide.newGrid(4, 4, 4)
  local from, cells = "x1:cell y1:cell x2:cell y2:cell ", "x1:cell y1:cell z1:cell "
  local onto = cells .. "x2:cell y2:cell z2:cell "
  checkAll("grid:", methodsOf(grid), {
    size = "", dump = "",
    set = "x:place y:place v:byte", get = "x:whole y:whole",
    fill = "x:place y:place w:side h:side v:byte",
    load = "bytes:bytes",
    rayCast = from .. "mask:mask?", lineOfSight = from .. "radius:reach?",
  }, grid, function() return grid:dump() end)
  checkAll("grid:", methodsOf(grid3), {
    size = "", dump = "",
    set = "x:place y:place z:place v:byte", get = "x:whole y:whole z:whole",
    fill = "x:place y:place z:place w:side h:side d:side v:byte",
    load = "bytes:bytes64",
    rayCast = onto .. "mask:mask?", lineOfSight = onto,
  }, grid3, function() return grid3:dump() end)

  local numbers = collide.newRandom(1)
  checkAll("random:", methodsOf(numbers), {
    random = { { "m:whole n:upTo", nil, { 0, 1 } } },
    uniform = "a:finite b:above",
  }, numbers)
  checkSelf("random:", numbers, { 5, "text", {}, io.stdout, box, world, pool, thread, print })

  local bitmap = collide.newBitmap(4, 4)
  local circles = "xs:numbers ys:same r:radii"
  checkAll("bitmap:", methodsOf(bitmap), {
    addCircle = at .. "r:size", addRectangle = at .. "w:size h:size",
    addCircles = circles,
    testCircle = at .. "r:size threshold:threshold?",
    testRectangle = at .. "w:size h:size threshold:threshold?",
    testCircles = circles .. " threshold:threshold? into:filled?",
    clear = "", size = "", toString = "", pgm = "", dump = "",
    coverage = "column:place row:place",
  }, bitmap, function() return bitmap:dump() end)

  for _, shape in ipairs { box, collide.circle(2), collide.capsule(0, 0, 5, 5, 1),
    collide.segment(0, 0, 5, 5), collide.polygon(0, 0, 9, 0, 0, 9),
    collide.chain { 0, 0, 9, 0, 9, 9 }, collide.compound(box, collide.circle(1)),
    collide.tiles(grid) } do
    checkAll("shape:", methodsOf(shape), {
      kind = "", area = "", points = "", radius = "", parts = "", centered = "", upright = "",
      bounds = { { "x:coordinate y:coordinate angle:angle?", nil, { 0 } } },
      contains = "px:coordinate py:coordinate",
      translated = "dx:coordinate dy:coordinate",
      rotated = { { "angle:angle", { shape:kind() == "tiles" and 0 or 1 } } },
      scaled = "sx:scale sy:scale?",
    }, shape)
  end

  checkSelf("world:", world,
    { 5, "text", {}, io.stdout, box, pool, world:snapshot(), thread, print })
  checkSelf("snapshot:", world:snapshot(), { 5, "text", {}, io.stdout, box, world, thread, print })
  checkSelf("pool:", pool, { 5, "text", {}, io.stdout, box, world, thread, print })
  checkSelf("character:", character, { 5, "text", {}, io.stdout, box, world, pool, thread, print })
  checkSelf("grid:", grid, { 5, "text", {}, io.stdout, box, world, bitmap, thread, print })
  checkSelf("bitmap:", bitmap, { 5, "text", {}, io.stdout, box, world, grid, thread, print })
  checkSelf("shape:", box, { 5, "text", {}, io.stdout, bitmap, world, grid, thread, print })
end)

-- Checks options, by name: { kind } or { kind, further wrong values }. The message about an unknown
-- option says which options exist.
local function checkOptions(fn, word, f, before, required, table_)
  local function try(options, what)
    local args = { unpack(before) }
    args[#args + 1] = options
    return refuses(fn, f, args, #args, what)
  end
  local function with(name, value)
    local options = {}
    for key, v in pairs(required) do options[key] = v end
    options[name] = value
    return options
  end

  it(fn .. " with an unknown option", function()
    local message, told = try(with("no such thing", 1), "an unknown one")
    names(message, told, word, 'string "no such thing"')
    local listed = {}
    for name in message:match("expected %(one of (.-)%), got"):gmatch "[^, ]+" do
      assert(table_[name], fn .. ": " .. name .. " is an option, and missing from this table")
      listed[name] = true
    end
    for name in pairs(table_) do assert(listed[name], name .. " is not there") end
  end)

  for name, kind in pairs(table_) do
    it(fn .. " with " .. name, function()
      local param = { name = name, kind = assert(KINDS[kind], kind),
        optional = required[name] == nil }
      everyWrong(param, function(value, label, called, got)
        local given = value
        if value == NIL then given = nil end
        local message, told = try(with(name, given), ("%s = %s"):format(name, label))
        names(message, told, called, got)
      end)
    end)
  end
end

describe("the interface refuses wrong options:", function()
  local world = collide.newWorld()
  local pool = world:newBullets { capacity = 9, radius = 1 }
  local bullet = pool:spawn(0, 0, 1, 1)
  KINDS.rules = { {}, good = { table = true } }
  KINDS.bounds = { { 0, 0, 1, 1 }, got = { table = "nil" } }
  KINDS.callback = { print, good = { ["function"] = true } }
  KINDS.line = { { 0, 0, 1, 1 }, got = { table = "0" } }
  KINDS.graze = { 5, more = { 1, 0, -1, 2e12 } }
  KINDS.field = { "name", good = { text = true } }

  checkOptions("collide.newWorld", "option", collide.newWorld, {}, {}, {
    width = "size", height = "size", broadphase = "broadphase", depth = "depth", loose = "boolean",
    touching = "boolean", groups = "rules", rules = "rules", fields = "options", strict = "boolean",
  })
  checkOptions("collide.newGrid", "option", collide.newGrid, { 4, 4 }, {}, {
    cell = "size", x = "coordinate", y = "coordinate",
  })
  KINDS.values = { {}, good = { table = true } }
  checkOptions("collide.newGrid", "option", collide.newGrid, { { ".." } }, {}, {
    cell = "size", x = "coordinate", y = "coordinate", values = "values",
  })
  checkOptions("collide.newGrid", "option", collide.newGrid, { 4, 4, 4 }, {}, {
    cell = "size", x = "coordinate", y = "coordinate", z = "coordinate",
  })
  checkOptions("collide.newBitmap", "option", collide.newBitmap, { 4, 4 }, {}, {
    cell = "size", samples = "samples", mode = "mode",
  })
  checkOptions("collide.gridRay", "option", collide.gridRay, { 0, 0, 1, 1 }, {}, {
    corners = "corners",
  })
  checkOptions("collide.gridRay3", "option", collide.gridRay3, { 0, 0, 0, 1, 1, 1 }, {}, {
    corners = "corners",
  })
  checkOptions("world:newBullets", "option", world.newBullets, { world },
    { capacity = 9, radius = 1 }, {
      capacity = "count", radius = "size", group = "group", bounds = "bounds", margin = "margin",
      lifetime = "seconds", grazeRadius = "graze", pierce = "boolean", hitBullets = "boolean",
      ignore = "ignore", hit = "callback", graze = "callback", timer = "callback",
      expired = "callback",
    })
  KINDS.up = { { 0, -1 }, names = { table = "up[1]" }, got = { table = "nil" } }
  KINDS.slope = { 1, more = { -0.1, 2 } }
  checkOptions("world:newCharacter", "option", world.newCharacter,
    { world, world:add { x = 0, y = 0, shape = box } }, {}, {
      up = "up", maxSlope = "slope", snapLength = "margin", stepHeight = "margin",
      filter = "filter", response = "response",
    })
  checkOptions("pool:spawnLaser", "key of laser", pool.spawnLaser, { pool },
    { points = { 0, 0, 1, 1 }, width = 1 }, {
      points = "line", width = "size", warmup = "duration", lifetime = "seconds", tag = "tag",
    })
  checkOptions("pool:set", "key of changes", pool.set, { pool, bullet }, {}, {
    x = "coordinate", y = "coordinate", vx = "coordinate", vy = "coordinate", ax = "coordinate",
    ay = "coordinate", radius = "size", tag = "tag", length = "margin",
  })

  KINDS.plan = { collide.newPlan { { at = 0 } } }
  KINDS.home = { world:add { x = 0, y = 0, shape = box } }
  for name, before in pairs { spawn = { pool, 0, 0, 1, 1 }, spawnAimed = { pool, 0, 0, 1, 1, 5 },
    spawnRing = { pool, 0, 0, 1, 5, 0 }, spawnFan = { pool, 0, 0, 1, 0, 0, 5 } } do
    checkOptions("pool:" .. name, "key of options", pool[name], before, {}, {
      tag = "tag", ax = "coordinate", ay = "coordinate", radial = "coordinate",
      tangential = "coordinate", turnRate = "angle", minSpeed = "margin", maxSpeed = "margin",
      home = "home", plan = "plan", length = "margin",
    })
  end

  it("collide.newWorld with fields", function()
    local function try(fields, what)
      return refuses("collide.newWorld", collide.newWorld, { { fields = fields } }, 1, what)
    end
    local message = try({ colour = "c" }, "an unknown field")
    for name in message:match("expected %(one of (.-)%), got"):gmatch "[^, ]+" do
      for _, any in ipairs(ANYTHING) do
        if any[1] ~= "nil" and any[1] ~= "text" then
          local said, told = try({ [name] = any[2] }, name .. " = " .. any[1])
          names(said, told, "fields", any[3])
        end
      end
    end
  end)
end)

describe("the interface refuses wrong arguments:", function()
  KINDS.source = { { name = "a scene" }, good = { table = true, text = true } }
  checkAll("scene.", { load = scenes.load }, {
    load = { { "source:source overrides:options?" } },
  })
  KINDS.keys = { "1 a" }
  checkOptions("scene.load", "override", scenes.load, { {} }, {}, {
    width = "size", height = "size", frames = "frames", dt = "seconds", seed = "seed",
    params = "options", world = "options", broadphase = "broadphase", input = "keys",
  })
  KINDS.words = { "text", good = { text = true, nan = true, inf = true, ["-inf"] = true } }
  KINDS.part = { 0.5 }
  KINDS.channel = { 0.5, names = { table = "color[1]" }, got = { table = "nil" } }
  local first = setmetatable({ table = "color[1]" }, { __index = function() return "r" end })
  KINDS.color = { { 0, 0.5, 1 }, names = first, got = { table = "nil" } }
  local canvas = require("collide.canvas").new(setmetatable({}, {
    __index = function() return function() end end,
  }))
  local lines = { 0, 0, 9, 9 }
  checkAll("canvas:", methodsOf(canvas), {
    setColor = { { "r:channel g:part b:part a:part?" }, { "color:color alpha:part?" } },
    rectangle = "mode:fill x:coordinate y:coordinate w:margin h:margin",
    circle = "mode:fill x:coordinate y:coordinate r:margin",
    shape = "mode:fill shape:shape x:coordinate y:coordinate angle:angle?",
    line = { { "x1:part y1:part x2:part y2:part...", lines } },
    circles = "centres:numbers r:size",
    print = "text:words x:part y:part",
  }, canvas)
  checkSelf("canvas:", canvas, { 5, "text", {}, io.stdout, box, thread, print })

  local scene = scenes.load {}
  KINDS.done = { function() return true end, good = { ["function"] = true } }
  checkAll("scene:", { run = scene.run, runUntil = scene.runUntil },
    { run = "frames:frames?", runUntil = "fn:done most:frames?" }, scene)
end)

-- bump.lua ignores surplus arguments, and so does collide.bump.
describe("collide.bump refuses wrong arguments:", function()
  local bump = require "collide.bump"
  local function anyBut(...)
    local good = {}
    for _, any in ipairs(ANYTHING) do good[any[1]] = true end
    for _, label in ipairs { ... } do good[label] = nil end
    return good
  end
  KINDS.cellSize = { 64, more = { 0, -1, 1e-4, 2e12 } }
  KINDS.number = { 1, good = { inf = true, ["-inf"] = true } }
  KINDS.newItem = { "new", good = anyBut("nil", "nan"), more = { "me" } }
  KINDS.item = { "me" }
  KINDS.any = { "me", good = anyBut() }
  KINDS.name = { "mine", good = anyBut("nil", "nan") }
  KINDS.bumpWorld = { bump.newWorld() }
  KINDS.collision = { { touch = { x = 0, y = 0 } } }
  KINDS.callable = { print, good = { ["function"] = true } }

  local world = bump.newWorld()
  world:add("me", 10, 10, 20, 20)
  local function state()
    return { world:getRect "me", world:countItems(), world:countCells(), world.responses.mine }
  end
  local at, size = "x:coordinate y:coordinate ", "w:size h:size "
  local goal = "goalX:coordinate? goalY:coordinate? filter:callable? ..."
  local segment = "x1:coordinate y1:coordinate x2:coordinate y2:coordinate filter:callable? ..."
  local one, two = "x:number y:number w:number h:number ",
    "x1:number y1:number w1:number h1:number x2:number y2:number w2:number h2:number "
  checkAll("bump.", functionsOf(bump), { newWorld = "cellSize:cellSize? ..." })
  checkAll("world:", methodsOf(world), {
    add = "item:newItem " .. at .. size .. "...",
    remove = "item:item ...", getRect = "item:item ...", hasItem = "item:any? ...",
    update = "item:item " .. at .. "w:size? h:size? ...",
    move = "item:item " .. goal, check = "item:item " .. goal,
    project = "item:any " .. at .. size .. goal,
    countItems = "...", getItems = "...", countCells = "...",
    toCell = at .. "...", toWorld = "cx:coordinate cy:coordinate ...",
    queryRect = at .. size .. "filter:callable? ...", queryPoint = at .. "filter:callable? ...",
    querySegment = segment, querySegmentWithCoords = segment,
    addResponse = "name:name response:callable ...",
  }, world, state)
  checkAll("bump.rect.", functionsOf(bump.rect), {
    getNearestCorner = one .. "px:number py:number ...",
    getSegmentIntersectionIndices =
      one .. "x1:number y1:number x2:number y2:number ti1:number? ti2:number? ...",
    getDiff = two .. "...", isIntersecting = two .. "...", getSquareDistance = two .. "...",
    containsPoint = one .. "px:number py:number ...",
    detectCollision = two .. "goalX:number? goalY:number? ...",
  })
  local respond = "world:bumpWorld col:collision " .. at .. size .. goal
  checkAll("bump.responses.", functionsOf(bump.responses), {
    touch = "world:bumpWorld col:collision ...", cross = respond, slide = respond, bounce = respond,
  })
  checkSelf("world:", world, { 5, "text", {}, io.stdout, box, collide.newWorld(), thread, print })
end)

describe("collide.film refuses wrong arguments:", function()
  local films = require "collide.film"
  local world = collide.newWorld()
  local film = films.new(world)
  world:step()
  KINDS.filmed = { world }
  KINDS.present = { 1, more = { -1, 0.5, 2 } }
  local path = os.tmpname()
  film:save(path)
  KINDS.filmKeys = { require("collide.keys").script "" }
  KINDS.path = { path, good = { text = true } }
  checkAll("films.", functionsOf(films), { new = "world:filmed options:options?",
    load = "path:path" })
  checkAll("film:", methodsOf(film), { range = "", restore = "frame:present", stop = "",
    save = "path:path", page = "path:path", input = "keys:filmKeys?" }, film)
  teardown(function() os.remove(path) end)
  checkSelf("film:", film, { 5, "text", {}, io.stdout, box, films, thread, print })
  checkOptions("films.new", "option", films.new, { world }, {}, {
    frames = "count", bytes = "count", fields = "names",
  })
end)

describe("collide.keys refuses wrong arguments:", function()
  local keys = require "collide.keys"
  local player = keys.script "1 left"
  KINDS.script = { "1 left", names = { text = "line 1" } }
  checkAll("keys.", functionsOf(keys), { script = "text:script", live = "isDown:function" })
  checkAll("keys:", methodsOf(player), {
    advance = "", down = "key:string", pressed = "key:string", text = "",
  }, player)
  checkSelf("keys:", player, { 5, "text", {}, io.stdout, box, keys, thread, print })
end)

describe("collide.tiled refuses wrong arguments:", function()
  local tiled = require "collide.tiled"
  local source = { orientation = "orthogonal", width = 1, height = 1, tilewidth = 16,
    tileheight = 16, tilesets = {}, layers = { { type = "tilelayer", width = 1, height = 1,
      data = { 0 } } } }
  local map = tiled.load(source)
  KINDS.mapSource = { source, names = { table = "layers" }, got = { table = "nil" } }
  KINDS.class = { "coin", good = { text = true } }
  KINDS.anyWorld = { collide.newWorld() }
  checkAll("tiled.", functionsOf(tiled), { load = "source:mapSource options:options?" })
  checkAll("map:", methodsOf(map), {
    find = "name:class", byClass = "class:class", reload = "",
  }, map)
  checkAll("layer:", methodsOf(map.layers[1]), { gid = "column:number row:number" }, map.layers[1])
  checkSelf("layer:", map.layers[1], { 5, "text", {}, io.stdout, box, map, thread, print })
  checkSelf("map:", map, { 5, "text", {}, io.stdout, box, collide.newWorld(), thread, print })
  checkOptions("tiled.load", "option", tiled.load, { source }, {}, {
    world = "anyWorld", make = "callback", load = "callback",
  })
end)
