-- Parts of shapes that meet, compared with all their members as separate shapes.
local collide = require "collide"
local random = require "spec.support.random"
local zoo = require "spec.support.zoo"

local SEED = random.seed()
local EPS = 1e-8
local NAMES = { "arm", "body", "head", "leg", "tail" }

-- A shape with members near 0, 0, and its members as separate shapes, by part. They use few points,
-- so that many are flush or met at once.
local function compound(rng, fine)
  local count, named, shapes, singles = rng:int(2, 5), rng:chance(0.5), {}, {}
  for i = 1, count do
    local shape = zoo.shape(rng, rng:pick(zoo.KINDS), 20)
    if not fine then shape = collide.rectangle(10 * rng:int(-2, 2), 10 * rng:int(-2, 2), 10, 10) end
    local part = named and NAMES[i] or i
    shape = fine and shape:translated(rng:float(-20, 20), rng:float(-20, 20)) or shape
    shapes[part], singles[i] = shape, { part = part, shape = shape }
  end
  return collide.compound(shapes), singles
end

local function chain(rng, fine)
  local list, singles = {}, {}
  local n = rng:int(2, 6)
  for i = 1, 2 * n do list[i] = fine and rng:float(-30, 30) or 10 * rng:int(-3, 3) + i % 2 end
  for i = 3, 2 * n - 1, 2 do
    if list[i] == list[i - 2] and list[i + 1] == list[i - 1] then list[i] = list[i] + 1 end
  end
  for i = 1, n - 1 do
    singles[i] = { part = i,
      shape = collide.segment(list[2 * i - 1], list[2 * i], list[2 * i + 1], list[2 * i + 2]) }
  end
  return collide.chain(list), singles
end

local function tiles(rng)
  local rows, own, singles = {}, {}, {}
  for row = 1, 4 do
    local cells = {}
    for column = 1, 5 do cells[column] = rng:pick { ".", ".", "1", "2", "3" } end
    rows[row] = table.concat(cells)
  end
  local options = { cell = 10, x = -25, y = -20, values = { ["1"] = 1, ["2"] = 2, ["3"] = 3 } }
  for value = 1, 3 do
    for row = 1, 4 do
      own[row] = rows[row]:gsub("%d", function(c) return c == tostring(value) and "1" or "." end)
    end
    singles[value] = { part = value, shape = collide.tiles(collide.newGrid(own, options)) }
  end
  return collide.tiles(collide.newGrid(rows, options)), singles
end

local makers = { compound, compound, chain, tiles }

-- A placed shape with members, and its members placed alike.
local function any(rng)
  local make, fine = rng:pick(makers), rng:chance(0.7)
  local shape, singles = make(rng, fine)
  local still = make == tiles
  local x, y = rng:int(-50, 50), rng:int(-50, 50)
  local angle = not still and rng:chance(0.5) and rng:float(-4, 4) or 0
  for _, s in ipairs(singles) do s.x, s.y, s.angle = x, y, angle end
  return { shape = shape, x = x, y = y, angle = angle, static = still or nil }, singles
end

local function mover(rng, at)
  local shape = zoo.shape(rng, rng:pick(zoo.KINDS), rng:float(2, 30))
  return { shape = shape, x = at.x + rng:float(-60, 60), y = at.y + rng:float(-60, 60),
    angle = rng:chance(0.5) and rng:float(-4, 4) or 0 }
end

-- Two worlds: one with the whole, one with an actor for each member.
local function worldsOf(whole, singles)
  local one, many = collide.newWorld(), collide.newWorld()
  one:add(whole)
  for i, s in ipairs(singles) do
    s.group, s.static = "member " .. i, true
    many:add(s)
  end
  return one, many
end

-- Checks the part of a cast, given the answers for the members alone: `alone[i]` is the list x, y,
-- nx, ny, t of member i, or nil; `deep(i)` is how deep the start is in a member, 0 if it touches,
-- nil if it is outside.
local function checkCast(singles, alone, deep, x, y, nx, ny, t, part)
  local index
  for i, s in ipairs(singles) do if s.part == part then index = i end end
  assert(index, "there is no part " .. tostring(part))
  if nx == 0 and ny == 0 then -- at a seam, it is inside none of them
    for i in ipairs(singles) do
      assert((deep(i) or 0) <= (deep(index) or -1) + EPS, "it starts deeper in another part")
    end
    return
  end
  local own = alone[index]
  assert(own, tostring(part) .. " is not met by itself")
  assert(math.abs(own[5] - t) <= EPS, ("%s is met at %.17g, not %.17g"):format(part, own[5], t))
  for i, a in pairs(alone) do
    assert(a[5] >= own[5] - EPS or a[3] == 0 and a[4] == 0, "another part is met before")
    local same = a[1] == x and a[2] == y and a[3] == nx and a[4] == ny and a[5] == t
    assert(not same or i >= index, "an earlier part is met alike")
  end
end

local function numbers(actor, ...)
  return actor and { ... } or nil
end

local function ray(rng)
  local whole, singles = any(rng)
  local one, many = worldsOf(whole, singles)
  local x1, y1 = whole.x + rng:int(-40, 40), whole.y + rng:int(-40, 40)
  local x2, y2 = whole.x + rng:int(-40, 40), whole.y + rng:int(-40, 40)
  local actor, x, y, nx, ny, t, part = one:rayCast(x1, y1, x2, y2)
  if not actor then return false end
  local alone = {}
  for i in ipairs(singles) do
    alone[i] = numbers(many:rayCast(x1, y1, x2, y2, "member " .. i))
  end
  local function deep(i)
    return many:queryPoint(x1, y1, "member " .. i)[1] and 0
  end
  checkCast(singles, alone, deep, x, y, nx, ny, t, part)
  local all = one:rayCastAll(x1, y1, x2, y2)
  assert(all[1].part == part, "rayCastAll has another part")
  all = one:rayCastAll(x1, y1, x2, y2, function() return true end)
  assert(all[1].part == part, "with a function rayCastAll has another part")
  local last = select(7, one:rayCast(x1, y1, x2, y2, function() return true end))
  assert(last == part, "with a function rayCast has another part")
  return true
end

-- The depth of the deepest pair of convex pieces of two placed shapes.
local function deepest(a, b)
  local most = 0
  for _, p in ipairs(a.shape:parts()) do
    for _, q in ipairs(b.shape:parts()) do
      local _, _, depth = collide.overlap({ x = a.x, y = a.y, angle = a.angle, shape = p },
        { x = b.x, y = b.y, angle = b.angle, shape = q })
      most = math.max(most, depth or 0)
    end
  end
  return most
end

local function shapeCast(rng)
  local whole, singles = any(rng)
  local one, many = worldsOf(whole, singles)
  local moving = mover(rng, whole)
  local dx, dy = whole.x - moving.x + rng:int(-20, 20), whole.y - moving.y + rng:int(-20, 20)
  local actor, x, y, nx, ny, t, part = one:shapeCast(moving, dx, dy)
  if not actor then return false end
  local alone = {}
  for i in ipairs(singles) do
    alone[i] = numbers(many:shapeCast(moving, dx, dy, "member " .. i))
  end
  local function deep(i)
    if not collide.overlap(moving, singles[i], true) then return nil end
    return whole.static and 0 or deepest(moving, singles[i])
  end
  checkCast(singles, alone, deep, x, y, nx, ny, t, part)
  local last = select(7, one:shapeCast(moving, dx, dy, function() return true end))
  assert(last == part, "with a function shapeCast has another part")
  return true
end

-- The first hit of a move is that of the members met first.
local function move(rng)
  local whole, singles = any(rng)
  local one, many = worldsOf(whole, singles)
  local moving = mover(rng, whole)
  one:add(moving)
  local other = many:add { shape = moving.shape, x = moving.x, y = moving.y, angle = moving.angle }
  local dx, dy = whole.x - moving.x + rng:int(-20, 20), whole.y - moving.y + rng:int(-20, 20)
  local _, _, hits, n = one:check(moving, dx, dy, nil, "touch")
  local _, _, others, count = many:check(other, dx, dy, nil, "touch")
  if n == 0 then return false end
  local hit, found = hits[1], false
  assert(hit.part, "no part")
  if whole.static then
    assert(hit.part == hit.value or hit.inside, "part and value differ")
    return true
  end
  for i = 1, count do
    local o = others[i]
    if o.t > hit.t + EPS then break end
    found = found or o.actor.part == hit.part
  end
  -- Members that are touched at once may form one face of the whole.
  if not found and not hit.inside then
    local there = { shape = moving.shape, x = hit.x, y = hit.y, angle = moving.angle }
    for _, s in ipairs(singles) do
      if s.part == hit.part then found = collide.distance(there, s) <= EPS end
    end
  end
  assert(found or hit.inside, ("%s is not met"):format(tostring(hit.part)))
  if hit.inside then
    for _, s in ipairs(singles) do
      if s.part == hit.part then found = found or collide.overlap(moving, s) end
    end
    assert(found, "it did not start in " .. tostring(hit.part))
  end
  return true
end

local function bullet(rng)
  local whole, singles = any(rng)
  local one, many = worldsOf(whole, singles)
  local x, y = whole.x + rng:float(-50, 50), whole.y + rng:float(-50, 50)
  local dx, dy = whole.x - x + rng:int(-20, 20), whole.y - y + rng:int(-20, 20)
  local function fire(world)
    local seen = {}
    local pool = world:newBullets { capacity = 1, radius = 3, pierce = true,
      hit = function(_, _, actor, nx, ny, t, px, py, other, part)
        assert(other == nil)
        seen[#seen + 1] = { actor = actor, t = t, part = part, nx = nx, ny = ny, x = px, y = py }
      end }
    pool:spawn(x, y, dx, dy)
    world:update(1)
    return seen
  end
  local hit, hits = fire(one)[1], fire(many)
  if not hit then return false end
  local found
  for _, h in ipairs(hits) do
    if h.actor.part == hit.part then found = h end
    assert(hit.t == 0 or h.t >= hit.t - EPS, "another part is hit before")
  end
  assert(found, ("%s is not hit"):format(tostring(hit.part)))
  assert(math.abs(found.t - hit.t) <= EPS, "it is hit at another time")
  return true
end

-- All pairs of members that overlap, and their depths.
local function pairsOf(a, b, as, bs)
  local list = {}
  local world = collide.newWorld()
  for i, s in ipairs(as) do
    for k, o in ipairs(bs) do
      local _, _, depth = collide.overlap(s, o)
      if depth then
        list[#list + 1] = { part = s.part, otherPart = o.part, depth = depth, i = i, k = k }
      end
    end
  end
  table.sort(list, function(p, q)
    if p.depth ~= q.depth then return p.depth > q.depth end
    if p.i ~= q.i then return p.i < q.i end
    return p.k < q.k
  end)
  return list, world:partOverlaps(a, b), world:contacts(a, b)
end

local function overlaps(rng)
  local a, as = any(rng)
  local b, bs
  if rng:chance(0.5) then
    b, bs = any(rng)
  else
    b = mover(rng, a)
    bs = { { shape = b.shape, x = b.x, y = b.y, angle = b.angle } }
    if b.shape:kind() == "compound" or b.shape:kind() == "chain" then return false end
  end
  if a.static and b.static then return false end
  b.x, b.y = a.x + rng:int(-20, 20), a.y + rng:int(-20, 20)
  for _, s in ipairs(bs) do s.x, s.y = b.x, b.y end
  local want, got, contacts = pairsOf(a, b, as, bs)
  assert(#want == #got, ("%d pairs overlap, not %d"):format(#want, #got))
  for i, w in ipairs(want) do
    local g = got[i]
    assert(w.part == g.part and w.otherPart == g.otherPart and w.depth == g.depth,
      ("pair %d is %s, %s by %.17g, not %s, %s by %.17g"):format(i, tostring(w.part),
        tostring(w.otherPart), w.depth, tostring(g.part), tostring(g.otherPart), g.depth))
  end
  -- Each point of contact is of two parts that overlap or touch.
  for _, c in ipairs(contacts) do
    local found = false
    for _, s in ipairs(as) do
      for _, o in ipairs(bs) do
        if s.part == c.part and o.part == c.otherPart then
          found = collide.overlap(s, o, true) ~= nil
        end
      end
    end
    assert(found, ("contact of %s and %s, which do not touch"):format(tostring(c.part),
      tostring(c.otherPart)))
  end
  return #want > 0
end

local CASES = { ["rays name"] = ray, ["casts of shapes name"] = shapeCast, ["moves name"] = move,
  ["bullets name"] = bullet, ["overlaps and contacts name"] = overlaps }

describe("in random cases,", function()
  for name, case in pairs(CASES) do
    it(("%s the member that is met (seed %d)"):format(name, SEED), function()
      local met, rounds = 0, random.rounds(2000)
      for round = 1, rounds do
        local ok, what = pcall(case, random.new(SEED * 100003 + round))
        if not ok then error(("seed %d, case %d: %s"):format(SEED, round, tostring(what)), 0) end
        if what then met = met + 1 end
      end
      assert(met >= rounds / 5, ("only %d of %d met anything"):format(met, rounds))
    end)
  end
end)
