-- The script that spec/support/memory.c repeats while memory runs out: a short life of some worlds.
-- Its calls have the same results when they are repeated.
local collide = require "collide"

local M = {}

local calls, results = {}, {}
local world, other, rewound, twin, shapes
local actors, inside, frame = {}, {}, 0

-- Keeps results, which are converted to text when there is memory again.
local function note(...)
  results = { n = select("#", ...), ... }
end

local function call(name, f)
  calls[#calls + 1] = { name = name, f = f }
end

-- For each direction of a pair, enter and leave alternate. A call that had begun when memory ran
-- out is not made again.
local function key(a, b)
  return a.number * 1000 + b.number
end

local function met(self, mate)
  inside[key(self, mate)] = (inside[key(self, mate)] or 0) + 1
  return self.name .. mate.name
end

local function parted(self, mate)
  inside[key(self, mate)] = 0
  return { self.name, mate.name }
end

local function move(self)
  self.x = 10 * self.number % 37 + frame * (self.number % 3)
  self.y = 7 * self.number % 23
end

local function newActor(i)
  local methods = { shape = shapes[i % #shapes + 1], group = i % 2 == 0 and "even" or "odd",
    enter = i % 3 ~= 0 and met or nil, leave = i % 3 ~= 0 and parted or nil,
    hit = i % 5 ~= 0 and function(self, mate) return { self, mate } end or nil,
    update = i % 7 ~= 0 and move or nil, draw = function(self) return { self } end }
  local actor = { number = i, name = ("actor %d"):format(i), static = i % 11 == 0,
    angle = i % 6 == 0 and 0.5 or nil }
  if i % 2 == 0 then
    setmetatable(actor, { __index = function(_, field) return methods[field] end })
  else
    for field, value in pairs(methods) do actor[field] = value end
  end
  move(actor)
  return actor
end

call("collide.core", function()
  package.loaded["collide.core"] = nil
  note(type(require "collide.core"))
end)

call("shapes", function()
  local list = {
    collide.rectangle(10, 10), collide.circle(6), collide.capsule(-4, 0, 4, 2, 3),
    collide.segment(-6, -6, 6, 6), collide.polygon(0, 0, 12, 2, 6, 9),
    collide.polygon { 0, 0, 12, 0, 12, 12, 6, 3, 0, 12 },
    collide.chain { 0, 0, 8, 4, 16, 0 }, collide.chain({ 0, 0, 9, 0, 9, 9 }, true),
    collide.compound(collide.circle(4), collide.rectangle(5, 3)),
  }
  list[#list + 1] = list[6]:translated(1, 2):rotated(0.3):scaled(1.5)
  list[#list + 1] = list[1]:centered()
  list[#list + 1] = list[5]:upright()
  shapes = list
  note(tostring(list[9]), tostring(list[10]), #list[6]:parts(), #list[7]:points(), list[3]:bounds())
end)

local map, slopes

call("tiles", function()
  map = collide.newGrid(4, 4, { cell = 8 })
  map:fill(0, 2, 4, 2, 1)
  map:set(1, 1, 2)
  slopes = collide.tiles(map, { [2] = collide.polygon(0, 1, 1, 0, 1, 1), [3] = false })
  note(tostring(slopes), slopes:area(), #slopes:parts(), slopes:scaled(2):bounds())
end)

call("newWorld", function()
  other = collide.newWorld { width = 100, height = 100, broadphase = "quadtree", strict = true,
    rules = { { "odd", "even" }, { "even", "*" } }, fields = { draw = "paint", update = false } }
  world = collide.newWorld { strict = false } -- statics change their places
end)

for i = 1, 40 do
  call("add", function()
    actors[i] = actors[i] or newActor(i)
    if not world:has(actors[i]) then world:add(actors[i]) end
  end)
end

local function turn(name, f)
  for n = 1, 3 do
    call(name, function()
      frame = n
      f()
    end)
  end
end

turn("update", function() world:update(1) end)
turn("step", function() world:step() end)
turn("advance", function() world:advance(0.1, 0.05) end)

call("refresh", function() world:refresh() end)
call("refresh one", function()
  actors[3].shape = shapes[2]
  world:refresh(actors[3])
end)

-- Each actor ignores alone first. When both do, Lua has all its tables, and only the core needs
-- more memory.
for n, ignoring in ipairs { { 3 }, {}, { 9 }, {}, { 3, 9 }, {} } do
  call("refresh with ignored actors " .. n, function()
    local ignored = {}
    for i = 10, 40 do ignored[i - 9] = actors[i] end
    actors[3].ignore, actors[9].ignore = nil, nil
    for _, i in ipairs(ignoring) do actors[i].ignore = ignored end
    world:refresh()
    note(world:canHit(actors[3], actors[13]), world:canHit(actors[9], actors[14]))
  end)
end

call("hits", function()
  local list = {}
  for a, b, nx, ny, depth in world:hits() do list[#list + 1] = { a, b, nx, ny, depth } end
  for a, b in world:hits(actors[3]) do list[#list + 1] = { a, b } end
  note(list)
end)
call("candidates", function() note(#world:candidates() > 0) end)
call("cells", function() note(#world:cells() > 0) end)
call("stats", function() note(world:stats().hits) end)
call("draw", function() world:draw() end)
call("actors", function()
  note(world:actors(), world:actors "even", world:count(function(a) return a == actors[1] end))
end)
call("tostring", function() note(tostring(world), world:hash()) end)
call("setRule", function()
  world:setRule("even", "new group", false)
  note(world:canHit("even", "new group"), world:canHit(actors[1], actors[2]))
end)

local function odd(actor) return #{ actor.number % 2 } > 0 and actor.number % 2 == 1 end

call("queryPoint", function() note(world:queryPoint(10, 10)) end)
call("queryRect", function() note(world:queryRect(0, 0, 20, 20, { "odd", "even" })) end)
call("queryCircle", function() note(world:queryCircle(5, 5, 12, odd)) end)
call("queryShape", function() note(world:queryShape(actors[6], "odd", actors[1])) end)
call("nearest", function() note(world:nearest(3, 4, 5)) end)
call("nearest that", function() note(world:nearest(3, 4, 5, odd)) end)
call("rayCast", function() note(world:rayCast(-10, -10, 50, 30)) end)
call("rayCast that", function() note(world:rayCast(-10, -10, 50, 30, odd)) end)
call("rayCastAll", function() note(world:rayCastAll(-10, -10, 50, 30)) end)
call("move", function()
  local x, y, hits, n = world:move(actors[2], 3, 1, nil, "push")
  note(x, y, hits[1], n)
end)
call("check that", function() note(world:check(actors[2], 9, 5, odd)) end)
call("turn", function()
  actors[2].angle = 0
  local to, hits, n = world:turn(actors[2], 6, odd, "cross")
  note(to, hits[1], n)
end)
-- Nothing that needs memory may follow a call that can be made only once. The call may succeed
-- although an allocation was refused, if Lua can do without it, and is not made again then.
local crushed, count, left, gravity, carried, moved
call("carry", function()
  if carried then return end
  crushed, count = world:carry(actors[1], 1, -1)
  carried = true
end)
call("carried", function() note(crushed, count) end)
local character
call("newCharacter", function()
  if not character then character = world:newCharacter(actors[2], { stepHeight = 3 }) end
end)
call("character", function()
  if moved then return end
  left, gravity = character:move(30, 30, 0.1)
  moved = true
end)
call("character moved", function() note(left, gravity, character.n) end)
call("fits", function() note(world:fits(actors[2])) end)
call("shapeCast", function() note(world:shapeCast(actors[2], 30, 10)) end)
call("shapeCast that", function() note(world:shapeCast(actors[2], 30, 10, odd)) end)
call("overlap", function() note(world:overlap(actors[1], actors[5])) end)
call("contacts", function() note(world:contacts(actors[1], actors[5])) end)
call("contact with tiles", function()
  note(world:contacts(actors[1], { x = 0, y = 0, shape = slopes }))
end)
call("part overlaps", function() note(world:partOverlaps(actors[1], actors[5])) end)
call("part overlaps with tiles", function()
  note(world:partOverlaps({ x = 0, y = 0, shape = slopes }, actors[1]))
end)
call("distance", function() note(collide.distance(actors[1], actors[2])) end)

call("distance in a world", function() note(world:distance(actors[1], actors[2])) end)
call("explain", function() note(world:explain(actors[1], actors[4])) end)
local into = {}
call("queries into a table", function()
  local list, n = world:queryRect(0, 0, 40, 20, "even", { actors[2], actors[4] }, into)
  note(n, list[1], select(2, world:rayCastAll(-10, -10, 50, 30, nil, nil, into)))
end)
call("teleport", function() world:teleport(actors[3], 20, 20, 0.5) end)
call("a traced step", function()
  local told = 0
  world:trace(function() told = #{ told } + told end)
  world:step()
  world:trace(nil)
end)

call("grids", function()
  local flat, deep = collide.newGrid(9, 7), collide.newGrid(4, 4, 4)
  flat:set(6, 3, 1)
  flat:load(flat:dump())
  deep:fill(2, 0, 0, 1, 4, 4, 3)
  local visited = {}
  for _, x, y in collide.gridRay(0.5, 0.5, 7.5, 5.5) do visited[#visited + 1] = { x, y } end
  collide.gridRay3(0.5, 0.5, 0.5, 3, 3, 3, function(_, x) visited[#visited + 1] = x end)
  note(visited, flat:rayCast(0, 0, 9, 5), deep:rayCast(0, 0, 0, 4, 2, 1),
    flat:lineOfSight(0, 0, 8, 6, 0.5), tostring(deep))
end)
call("bitmaps", function()
  local bitmap = collide.newBitmap(16, 9, { cell = 2 })
  bitmap:addCircle(9, 9, 4)
  bitmap:addCircles({ 3, 20 }, { 3, 4 }, { 1, 2 })
  bitmap:addRectangle(1, 2, 3, 4)
  note(bitmap:testCircles({ 3, 9, 30 }, { 3, 9, 1 }, 1), #bitmap:toString(), #bitmap:dump(),
    #bitmap:pgm())
end)

-- Checks that a call refuses its arguments. It passes on other errors, such as those about memory.
local function refused(f, ...)
  local ok, message = pcall(f, ...)
  if ok or not tostring(message):find("expected", 1, true) then error(message, 0) end
end

call("a wrong argument", function() refused(world.queryPoint, world, 1, {}) end)
call("a wrong shape", function() refused(collide.circle, -1) end)
call("a wrong field", function()
  actors[7].x = "far"
  local ok, message = pcall(world.step, world)
  move(actors[7])
  if ok or not tostring(message):find("expected", 1, true) then error(message, 0) end
end)

call("remove", function()
  for i = 1, 40 do
    if i % 4 ~= 0 then world:remove(actors[i]) end
  end
end)
turn("update", function() world:update(1) end)
call("queryPoint", function() note(world:queryPoint(10, 10)) end)

call("another world", function()
  for i = 1, 40 do
    local actor = actors[i]
    if i % 4 ~= 0 and not other:has(actor) then other:add(actor) end
  end
  other:step()
end)
turn("step", function() other:step() end)

call("bump", function()
  local bump = require("collide.bump").newWorld()
  for i = 1, 20 do bump:add(i, 12 * i, 0, 10, 10) end
  bump:update(20, 240, 0, 12, 10)
  local x, y, cols, n = bump:move(1, 300, 4, function(_, item)
    return item % 5 == 0 and "slide" or "cross"
  end)
  note(x, y, n, cols[1].ti, bump:countCells(), select(2, bump:querySegment(0, 5, 300, 5)))
  bump:remove(3)
  bump:add(3, 300, 0, 10, 10)
  local function accepts(item) return item > 2 end
  note(select(2, bump:getItems()), select(2, bump:queryRect(0, 0, 310, 5, accepts)),
    select(2, bump:queryPoint(305, 5)), select(2, bump:project(3, 300, 0, 9, 9, 9, 0, accepts)))
end)

-- Bullets. All calls begin with the same snapshot, so that they have the same results.
local range, shots, loaded

call("newBullets", function()
  local w, list = collide.newWorld { groups = { "wall", "shots" } }, {}
  for i = 1, 4 do
    w:add { name = "t" .. i, x = 15 * i, y = 10 * (i % 2), group = "wall", shape = shapes[i] }
  end
  for i = 1, 2 do
    list[i] = w:newBullets { capacity = 40, radius = 1, group = "shots", lifetime = 3,
      grazeRadius = 4, hitBullets = i == 1, bounds = { -50, -50, 300, 200 },
      hit = function(_, bullet, actor, nx, ny)
        return #{ actor, nx, ny } > 0 and (bullet % 3 == 0 and "pass" or "bounce")
      end, graze = function(_, bullet) return { bullet } end,
      expired = function(_, bullet) return { bullet } end }
  end
  range, shots, loaded = w, list, w:snapshot()
end)

local function shoot(name, f)
  call(name, function()
    range:restore(loaded)
    f(shots[1], shots[2])
    note(shots[1]:count(), shots[2]:count(), results)
  end)
end

shoot("spawn", function(a)
  for i = 1, 12 do a:spawn(5 * i, 0, 90, 9 * i, { tag = i, ax = i % 2, ay = 1 }) end
end)
shoot("spawnAimed", function(a) note(a:spawnAimed(0, 0, 30, 9, 60, { ay = 9, radial = 5 })) end)
shoot("spawn with steering", function(a)
  note(a:spawnRing(0, 0, 12, 60, 0, { turnRate = 3, minSpeed = 20 }))
end)
shoot("spawnRing", function(a) note(a:spawnRing(30, 5, 12, 60, 0.1, 7)) end)
shoot("spawnFan", function(a) note(a:spawnFan(0, 5, 9, 0, 1, 90)) end)
shoot("set", function(a)
  local bullet = a:spawn(0, 0, 9, 9)
  a:set(bullet, { x = 5, ax = 3, radius = 2, tag = 8 })
  note(a:tag(bullet), a:get(bullet))
end)
shoot("each", function(a)
  local list = {}
  a:spawnRing(0, 0, 9, 9)
  a:each(function(bullet, x) list[#list + 1] = { bullet, x } end)
  note(list)
end)
shoot("fill", function(a)
  local list, batch = {}, { add = function(_, x, y) return { x, y } end }
  a:spawnRing(0, 0, 9, 9)
  a:fill(batch)
  note(a:fill(list), list[18])
end)
shoot("kill", function(a)
  a:spawnRing(0, 0, 9, 9)
  note(a:kill(3), a:killCircle(0, 0, 50), a:clear())
end)
shoot("a flight", function(a, b)
  a:spawnFan(-10, 5, 20, 0, 1, 300)
  b:spawnRing(30, 8, 20, 200)
  a:spawnLaser { points = { 0, 0, 50, 5, 80, 30 }, width = 2, warmup = 0.1 }
  for _ = 1, 3 do range:update(0.1) end
end)
shoot("pools", function(a)
  a:spawnRing(0, 0, 9, 9)
  range:clear()
  note(#range:pools(), tostring(a))
end)

-- Snapshots of a world that has everything that they can hold.
local FIELDS = { "name", "mate" }
local pool, ground, riders, newcomer, snapshot, packed
local function save(self) return self.hits end
local function load(self, hits) self.hits = hits end

local function newRewound()
  local w = collide.newWorld { strict = true, groups = { "wall", "shots" } }
  w:newBullets { capacity = 20, radius = 1, grazeRadius = 2, group = "shots" }
  return w
end

local function newRider(i)
  local actor = { name = "w" .. i, x = 9 * i, y = 0, shape = shapes[1], swept = i % 3 == 0 }
  if i % 2 == 0 then actor.hits, actor.toSnapshot, actor.fromSnapshot = 0, save, load end
  return actor
end

call("worlds to be wound back", function()
  local a, b = newRewound(), newRewound()
  ground = collide.newGrid(9, 2, { cell = 10, y = 20 })
  ground:fill(0, 1, 9, 1, 1)
  local floor = { name = "map", x = 0, y = 0, static = true, group = "wall",
    shape = collide.tiles(ground) }
  a:add(floor)
  riders, newcomer = {}, newRider(40)
  for i = 1, 12 do
    riders[i] = a:add(newRider(i))
    riders[i].mate = floor
  end
  a:newCharacter(riders[1])
  rewound, twin = a, b
end)
-- Bullets at rest: a repeated step would move other bullets on.
call("a bullet", function()
  pool = rewound:pools()[1]
  if pool:count() == 0 then pool:spawn(0, 15, 0, 0) end
end)
call("a laser", function()
  if pool:count() == 1 then pool:spawnLaser { points = { 0, 0, 50, 15 }, width = 2 } end
end)
turn("a swept step", function()
  for i, actor in ipairs(rewound:actors()) do
    if actor.swept then actor.x, actor.y = 15 * frame + i, 40 * (frame % 2) end
  end
  rewound:step()
end)

call("snapshot", function()
  snapshot = rewound:snapshot(FIELDS)
  note(tostring(snapshot))
end)
call("snapshot into", function() note(tostring(rewound:snapshot(FIELDS, snapshot))) end)
call("snapshot:hash", function() note(snapshot:hash()) end)
call("snapshot:pack", function()
  packed = snapshot:pack()
  note(#packed)
end)
call("changes", function()
  for _, i in ipairs { 3, 4 } do
    if rewound:has(riders[i]) then rewound:remove(riders[i]) end
  end
  if not rewound:has(newcomer) then rewound:add(newcomer) end
  riders[6].x = 35
  rewound:setRule("wall", "default", false)
  ground:set(3, 0, 1)
  rewound:step()
end)
call("snapshot:diff", function() note(snapshot:diff(rewound:snapshot(FIELDS))) end)
call("remove a pool", function() if not pool._removed then pool:remove() end end)
turn("restore", function()
  rewound:restore(snapshot)
  note(rewound:count(), pool:count(), ground:get(3, 0), rewound:canHit("wall", "default"),
    rewound:snapshot(FIELDS):hash() == snapshot:hash())
end)
call("a step after it", function()
  rewound:restore(snapshot)
  rewound:step()
end)
local remade
local function make(_, fields)
  local actor = { name = fields.name, shape = shapes[1], fromSnapshot = load }
  if fields.name == "map" then actor.shape = collide.tiles(remade) end
  return actor
end
turn("restore a string", function()
  remade = collide.newGrid(9, 2, { cell = 10, y = 20 })
  remade:fill(0, 1, 9, 1, 1)
  twin:restore(packed, make)
  note(twin:count(), twin:hash())
end)
turn("a damaged string", function()
  local ok, message = pcall(twin.restore, twin, packed:sub(1, -2), make)
  if ok or not message:find("expected", 1, true) then error(message, 0) end
end)
turn("step", function() twin:step() end)

call("come and go", function()
  for i = 41, 160 do
    actors[i] = actors[i] or newActor(i)
    if not world:has(actors[i]) then world:add(actors[i]) end
  end
  for i = 41, 150 do world:remove(actors[i]) end
end)
turn("update", function() world:update(1) end)
call("clear", function() world:clear() end)
turn("update", function() world:update(1) end)

M.calls = #calls

function M.name(i) return calls[i].name end

function M.run(i)
  results = nil
  calls[i].f()
end

local function text(v, seen)
  if type(v) ~= "table" then return type(v) == "number" and ("%.14g"):format(v) or tostring(v) end
  if rawget(v, "name") then return v.name end
  local parts = {}
  for k = 1, v.n or #v do parts[k] = text(v[k], seen) end
  for _, k in ipairs { "actor", "x", "y", "nx", "ny", "t", "depth" } do
    if v[k] ~= nil then parts[#parts + 1] = k .. "=" .. text(v[k], seen) end
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

-- Checks that a world's parts agree, and describes it.
local function check(w)
  if not w then return "none" end
  local list = w:actors()
  assert(#list == w:count(), "actors() and count() differ")
  for _, actor in ipairs(list) do
    assert(w:has(actor), "an actor is listed that the world has not")
    assert(w._actors[w._slots[actor]] == actor, "an actor is not in its slot")
  end
  for slot = 2, #w._ids do assert(w._ids[slot] > w._ids[slot - 1], "slots are out of order") end
  for _, n in pairs(inside) do assert(n <= 1, "enter was called twice") end
  assert(not w._lock, "the world is locked")
  for a, b in w:hits() do assert(a ~= b and w:has(a) and w:has(b)) end
  return w:hash() .. " " .. #list
end

--- The state of the worlds and the results of the last call, as text.
function M.state()
  return ("%s, %s, %s, %s, %s, %s"):format(check(world), check(other), check(range),
    check(rewound), check(twin), text(results))
end

return M
