-- collide.gridRay and collide.gridRay3: the cells that a segment passes through.
local collide = require "collide"
local cells = require "spec.support.cells"
local expect = require "spec.support.expect"
local random = require "spec.support.random"

local nan, inf = 0 / 0, 1 / 0

-- All results of an iterator, as a list of lists.
local function collect(iterate, state)
  local list = {}
  for step, a, b, c, d in iterate, state do list[#list + 1] = { step, a, b, c, d } end
  return list
end

local function ray(...) return collect(collide.gridRay(...)) end
local function ray3(...) return collect(collide.gridRay3(...)) end

-- The cells alone, as text.
local function text(list, dims)
  local out = {}
  for i, c in ipairs(list) do
    for a = 1, dims do c[1 + a] = ("%d"):format(c[1 + a]) end
    out[i] = table.concat(c, ",", 2, 1 + dims)
  end
  return table.concat(out, " ")
end

local function flat(...) return text(ray(...), 2) end
local function deep(...) return text(ray3(...), 3) end

local function near(want, got)
  assert.equal(#want, #got)
  for i, c in ipairs(want) do expect.near(c, got[i], 1e-15) end
end

describe("collide.gridRay", function()
  -- 2        .------.
  -- 1 --+------+--/---
  -- 0 ------/-+------+     from -1.5, 0.2 up to 2.5, 1.6
  --  -2  -1   0   1   2
  it("gives the cells in order", function()
    assert.equal("-2,0 -1,0 0,0 0,1 1,1 2,1", flat(-1.5, 0.2, 2.5, 1.6))
  end)

  it("gives step and t with each cell", function()
    near({ { 1, 3, -3, 0 }, { 2, 3, -2, 1 / 12 }, { 3, 4, -2, 1 / 7 }, { 4, 4, -1, 1 / 4 },
      { 5, 4, 0, 5 / 12 }, { 6, 5, 0, 3 / 7 }, { 7, 5, 1, 7 / 12 }, { 8, 6, 1, 5 / 7 },
      { 9, 6, 2, 3 / 4 }, { 10, 6, 3, 11 / 12 }, { 11, 7, 3, 1 } }, ray(3.5, -2.5, 7.0, 3.5))
  end)

  it("gives the cells at a corner the same step, the diagonal one last", function()
    near({ { 1, 0, 0, 0 }, { 2, 1, 0, 0.5 }, { 2, 0, 1, 0.5 }, { 2, 1, 1, 0.5 } },
      ray(0.5, 0.5, 1.5, 1.5))
    near({ { 1, 0, 0, 0 }, { 2, -1, 0, 0.5 }, { 2, 0, -1, 0.5 }, { 2, -1, -1, 0.5 } },
      ray(0.5, 0.5, -0.5, -0.5))
  end)

  it("gives only the diagonal cell at a corner if asked", function()
    near({ { 1, 0, 0, 0 }, { 2, 1, 1, 0.25 }, { 3, 2, 2, 0.75 } },
      ray(0.5, 0.5, 2.5, 2.5, { corners = "diagonal" }))
    assert.equal(7, #ray(0.5, 0.5, 2.5, 2.5, { corners = "all" }))
    assert.equal(7, #ray(0.5, 0.5, 2.5, 2.5, {}))
  end)

  it("gives only the cell of the start for a segment without a length", function()
    near({ { 1, 0, -1, 0 } }, ray(0.5, -0.5, 0.5, -0.5))
    near({ { 1, 3, 3, 0 } }, ray(3, 3, 3, 3))
  end)

  it("crosses the boundary that it starts on only towards lower coordinates", function()
    near({ { 1, 2, 0, 0 }, { 2, 1, 0, 0 } }, ray(2, 0.5, 1.5, 0.5))
    near({ { 1, 2, 0, 0 } }, ray(2, 0.5, 2.5, 0.5))
  end)

  it("crosses the boundary it ends on", function()
    near({ { 1, 1, 0, 0 }, { 2, 2, 0, 1 } }, ray(1.5, 0.5, 2, 0.5))
    near({ { 1, 2, 0, 0 }, { 2, 1, 0, 1 } }, ray(2.5, 0.5, 2, 0.5))
  end)

  it("stays on one side of a line of cells that it follows", function()
    assert.equal("0,3 1,3 2,3", flat(0.5, 3, 2.5, 3))
    assert.equal("2,3 1,3 0,3", flat(2.5, 3, 0.5, 3))
  end)

  it("tells corners from near misses by one unit in the last place", function()
    local less, more = 1.5 - 2 ^ -52, 1.5 + 2 ^ -52
    assert.equal("0,0 1,0 0,1 1,1", flat(0.5, 0.5, 1.5, 1.5))
    assert.equal("0,0 0,1 1,1", flat(0.5, 0.5, less, 1.5))
    assert.equal("0,0 1,0 1,1", flat(0.5, 0.5, more, 1.5))
    assert.equal("0,0 1,0 0,1 1,1", flat(0.1, 0.1, 1.3, 1.3))
    assert.equal("0,0 1,0 1,1", flat(0.1 + 2 ^ -56, 0.1, 1.3, 1.3))
  end)

  it("is exact up to the farthest cells", function()
    local far = 2 ^ 50
    near({ { 1, far - 2, 0, 0 }, { 2, far - 1, 0, 0.5 }, { 3, far, 0, 1 } },
      ray(far - 2, 0.5, far, 0.5))
    near({ { 1, -far, -far, 0 }, { 2, 1 - far, -far, 1 }, { 2, -far, 1 - far, 1 },
      { 2, 1 - far, 1 - far, 1 } }, ray(-far, -far, 1 - far, 1 - far))
  end)

  it("is exact down to the smallest numbers", function()
    local least = 2 ^ -1074
    assert.equal("-1,-1 0,-1 -1,0 0,0", flat(-least, -least, least, least))
    assert.equal("-1,-1 0,-1 0,0", flat(-least, -2 * least, least, least))
    assert.equal("-1,-1 -1,0 0,0", flat(-least, -least, least, 2 * least))
    local normal = 2 ^ -1022 -- half of it is not
    assert.equal("0,0 0,1 1,1", flat(normal / 2, normal, 1.5, 1.5))
    assert.equal("0,0 1,0 1,1", flat(normal, normal / 2, 1.5, 1.5))
  end)

  it("does not drift in a million cells", function()
    local n, last = 0, nil
    for step, x, y in collide.gridRay(0.5, 0.25, 600000.5, 400000.25, { corners = "diagonal" }) do
      n, last = n + 1, step
      -- In integers, proportional to the distance of the cell from the line.
      local e = (2 * x + 1) * 2 - 3 * (2 * y + 1)
      if e < -8 or e > 8 then error(("off the line at %d, %d"):format(x, y)) end
    end
    assert.equal(last, n)
    assert.equal(1000001, n)
  end)

  it("calls a visitor instead, until it returns true", function()
    local seen = {}
    local x, y, more = collide.gridRay(0.5, 0.5, 5.5, 2, function(...)
      seen[#seen + 1] = { ... }
      return (select(2, ...)) == 2
    end)
    local all = ray(0.5, 0.5, 5.5, 2)
    assert.same({ 2, 0 }, { x, y })
    assert.is_nil(more)
    assert.equal(3, #seen)
    for i, c in ipairs(seen) do assert.same(all[i], c) end
  end)

  it("returns nothing if no visit returns true", function()
    local n = 0
    assert.equal(0, select("#", collide.gridRay(0.5, 0.5, 3.5, 0.5, function() n = n + 1 end)))
    assert.equal(4, n)
  end)

  it("takes options and a visitor", function()
    local n = 0
    local function count() n = n + 1 end
    collide.gridRay(0.5, 0.5, 3.5, 3.5, { corners = "diagonal" }, count)
    assert.equal(4, n)
    collide.gridRay(0.5, 0.5, 3.5, 3.5, nil, count)
    assert.equal(14, n)
  end)

  it("may be nested, left early, and kept after its end", function()
    local out = {}
    for _, x in collide.gridRay(0.5, 0.5, 3.5, 0.5) do
      for _, y in collide.gridRay(0.5, 0.5, 200.5, 0.5) do
        if y == x then break end
        out[#out + 1] = y
      end
    end
    assert.same({ 0, 0, 1, 0, 1, 2 }, out)
    local iterate, state = collide.gridRay(0.5, 0.5, 1.5, 0.5)
    assert.equal(2, #collect(iterate, state))
    local other, otherState = collide.gridRay(7.5, 0.5, 8.5, 0.5)
    assert.is_nil(iterate(state))
    assert.is_nil(iterate(state, 1))
    assert.equal("7,0 8,0", text(collect(other, otherState), 2))
  end)

  it("continues where a coroutine or an error left it", function()
    local walk = coroutine.wrap(function()
      for _, x in collide.gridRay(0.5, 0.5, 2.5, 0.5) do coroutine.yield(x) end
    end)
    assert.equal(0, walk())
    assert.is_false(pcall(collide.gridRay, 0.5, 0.5, 9.5, 0.5, function() error("stop") end))
    collectgarbage()
    assert.equal("4,4 5,4", flat(4.5, 4.5, 5.5, 4.5))
    assert.equal(1, walk())
    assert.equal(2, walk())
  end)

  it("makes no garbage per cell", function()
    local function walk()
      local sum = 0
      for _, x in collide.gridRay(0.3, 0.7, 20000.1, 7000.9) do sum = sum + x end
      return sum
    end
    for _ = 1, 5 do walk() end
    local least = inf
    for _ = 1, 5 do -- the least of five, since the JIT compiler may allocate at any time
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      walk()
      least = math.min(least, collectgarbage("count") - before)
      collectgarbage("restart")
    end
    assert(least < 8, least .. " KB for 27000 cells")
  end)

  if math.type then -- luacheck: ignore
    it("gives whole numbers as integers", function()
      for step, x, y, t in collide.gridRay(0.5, 0.5, 3.5, 1.5) do
        assert.equal("integer integer integer float", table.concat({ math.type(step), -- luacheck: ignore
          math.type(x), math.type(y), math.type(t) }, " ")) -- luacheck: ignore
      end
    end)
  end
end)

describe("collide.gridRay3", function()
  it("gives step and t with each cell, and the cells of edges and corners", function()
    near({ { 1, 2, 3, -4, 0 }, { 2, 2, 2, -4, 0 }, { 3, 2, 2, -3, 1 / 6 }, { 4, 2, 1, -3, 1 / 5 },
      { 5, 3, 1, -3, 1 / 3 }, { 5, 2, 1, -2, 1 / 3 }, { 5, 3, 1, -2, 1 / 3 },
      { 6, 3, 0, -2, 2 / 5 }, { 7, 3, 0, -1, 1 / 2 }, { 8, 3, -1, -1, 3 / 5 },
      { 9, 4, -1, -1, 2 / 3 }, { 9, 3, -1, 0, 2 / 3 }, { 9, 4, -1, 0, 2 / 3 },
      { 10, 4, -2, 0, 4 / 5 }, { 11, 4, -2, 1, 5 / 6 }, { 12, 5, -2, 1, 1 }, { 12, 4, -3, 1, 1 },
      { 12, 4, -2, 2, 1 }, { 12, 5, -3, 1, 1 }, { 12, 5, -2, 2, 1 }, { 12, 4, -3, 2, 1 },
      { 12, 5, -3, 2, 1 } }, ray3(2, 3, -4, 5, -2, 2))
  end)

  it("gives only the diagonal cells if asked", function()
    assert.equal("0,0,0 -1,1,0 -2,2,0",
      deep(0.5, 0.5, 0.5, -1.5, 2.5, 0.5, { corners = "diagonal" }))
    assert.equal("0,0,0 1,1,1", deep(0.5, 0.5, 0.5, 1.5, 1.5, 1.5, { corners = "diagonal" }))
  end)

  it("agrees with gridRay in each plane", function()
    assert.equal("1,5,0 1,6,0 2,6,0", deep(1.5, 5.5, 0.5, 2.5, 6.75, 0.5))
    assert.equal("5,0,1 6,0,1 6,0,2", deep(5.5, 0.5, 1.5, 6.75, 0.5, 2.5))
    assert.equal("0,1,5 0,1,6 0,2,6", deep(0.5, 1.5, 5.5, 0.5, 2.5, 6.75))
  end)

  it("calls a visitor instead, until it returns true", function()
    local function stop(_, _, _, z) return z == 2 end
    assert.same({ 0, 0, 2 }, { collide.gridRay3(0.5, 0.5, 0.5, 0.5, 0.5, 9.5, stop) })
    assert.same({ 1, 1, 2 }, { collide.gridRay3(0.5, 0.5, 0.5, 3.5, 3.5, 8.5,
      { corners = "diagonal" }, stop) })
    assert.same({}, { collide.gridRay3(0.5, 0.5, 0.5, 0.5, 0.5, 1.5, stop) })
  end)
end)

describe("random segments", function()
  local seed = random.seed()

  local function compare(dims, f)
    local numbers = random.new(seed)
    for i = 1, random.rounds(5000) do
      local from, to = cells.ends(numbers, dims, 12)
      local a, b = cells.scaled(from), cells.scaled(to)
      local want = cells.walk(dims, from, to)
      local got = dims == 2 and f(a[1], a[2], b[1], b[2])
        or dims == 3 and f(a[1], a[2], a[3], b[1], b[2], b[3])
      local function fail(k)
        error(("case %d, cell %d: %s to %s"):format(i, k, table.concat(a, " "),
          table.concat(b, " ")))
      end
      if #want ~= #got then fail(#want) end
      for k, cell in ipairs(want) do
        for n = 1, dims + 1 do
          if cell[n] ~= got[k][n] then fail(k) end
        end
        if math.abs(cell[dims + 2] - got[k][dims + 2]) > 1e-15 then fail(k) end
      end
    end
  end

  it("have the cells that exact arithmetic gives, in 2D, seed " .. seed, function()
    compare(2, ray)
  end)

  it("have the cells that exact arithmetic gives, in 3D, seed " .. seed, function()
    compare(3, ray3)
  end)
end)

describe("bad arguments of", function()
  local WRONG = { { nan, "nan" }, { inf, "inf" }, { -inf, "-inf" }, { 2 ^ 51, "2.2517998136" },
    { "1", 'string "1"' }, { {}, "table" }, { true, "boolean true" } }

  local function check(name, f, names)
    for i, argument in ipairs(names) do
      local args = {}
      for k = 1, #names do args[k] = k + 0.5 end
      local says = ("%s: %s expected (finite number within ±2^50)"):format(name, argument)
      for _, wrong in ipairs(WRONG) do
        args[i] = wrong[1]
        expect.raises({ says, "got " .. wrong[2] }, f, (unpack or table.unpack)(args)) -- luacheck: ignore
      end
      expect.raises({ says, "got nil" }, f, (unpack or table.unpack)(args, 1, i - 1)) -- luacheck: ignore
    end
    local args = {}
    for k = 1, #names do args[k] = 1 end
    local function refused(pieces, ...)
      local n = #names
      for k = 1, 4 do args[n + k] = nil end
      for k = 1, select("#", ...) do args[n + k] = (select(k, ...)) end
      -- luacheck: ignore
      expect.raises(pieces, f, (unpack or table.unpack)(args, 1, n + select("#", ...)))
    end
    local function visit() end
    refused({ name .. ": options expected (", "got number 5" }, 5)
    refused({ name .. ": options expected (", 'got string "all"' }, "all")
    refused({ name .. ": option expected (one of corners), got string \"corner\"" }, { corner = 1 })
    refused({ name .. ': corners expected ("all" or "diagonal"), got string "none"' },
      { corners = "none" })
    refused({ name .. ": visit expected (function), got table" }, {}, {})
    refused({ name .. " takes ", ("got %d arguments"):format(#names + 2) }, visit, visit)
    refused({ name .. " takes ", ("got %d arguments"):format(#names + 3) }, {}, visit, 1)
  end

  it("gridRay are refused", function()
    check("collide.gridRay", collide.gridRay, { "x1", "y1", "x2", "y2" })
  end)

  it("gridRay3 are refused", function()
    check("collide.gridRay3", collide.gridRay3, { "x1", "y1", "z1", "x2", "y2", "z2" })
  end)

  it("both carry the position of the caller", function()
    for _, call in ipairs {
      function() local walk = collide.gridRay(1, 2, 3) return walk end,
      function() for _ in collide.gridRay3(1, 2, 3, 4, 5, nan) do error("a cell") end end,
    } do
      local here = "gridray_spec.lua:" .. debug.getinfo(call, "S").linedefined .. ":"
      assert.matches(here, expect.raises("got", call), 1, true)
    end
  end)
end)
