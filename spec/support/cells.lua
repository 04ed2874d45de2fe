-- The cells of a segment from the definition, for ends on a lattice of eighths: all compared
-- numbers are products of small integers, and so exact. Also random segments, most of them through
-- corners.
local M = {}

local FINE = 8

local function floor(v) return math.floor(v / FINE) end

-- The distance to the next boundary on an axis, or nil if there is none before the end.
local function boundary(cell, from, to)
  if to == from then return nil end
  local at = (to > from and cell + 1 or cell) * FINE
  if to > from and at <= to or to < from and at >= to then return math.abs(at - from) end
end

local GROUPS = {
  [2] = { { 1 }, { 2 }, { 1, 2 } },
  [3] = { { 1 }, { 2 }, { 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 }, { 1, 2, 3 } },
}

-- Whether all axes of a combination cross a boundary now.
local function allIn(combination, crossing)
  for _, a in ipairs(combination) do
    if not crossing[a] then return false end
  end
  return true
end

--- A list of { step, x, y(, z), t }; `from` and `to` in eighths.
function M.walk(dims, from, to)
  local cell, list, step = {}, {}, 1
  local function add(changed, t)
    local c = { step }
    for a = 1, dims do c[1 + a] = cell[a] + (changed[a] or 0) end
    c[dims + 2] = t
    list[#list + 1] = c
  end
  for a = 1, dims do cell[a] = floor(from[a]) end
  add({}, 0)
  while true do
    local best, length
    local crossing, count = {}, 0
    for a = 1, dims do
      local way, along = boundary(cell[a], from[a], to[a]), math.abs(to[a] - from[a])
      if way and (not best or way * length < best * along) then
        best, length, crossing, count = way, along, { [a] = true }, 1
      elseif way and way * length == best * along then
        crossing[a], count = true, count + 1
      end
    end
    if not best then return list end
    step = step + 1
    for _, combination in ipairs(GROUPS[dims]) do
      if allIn(combination, crossing) then
        local changed = {}
        for _, a in ipairs(combination) do changed[a] = to[a] > from[a] and 1 or -1 end
        add(changed, best / length)
      end
    end
    for a = 1, dims do
      if crossing[a] then cell[a] = cell[a] + (to[a] > from[a] and 1 or -1) end
    end
  end
end

--- Ends of a random segment, in eighths.
function M.ends(random, dims, reach)
  local from, to = {}, {}
  local grain = random:pick { 1, 2, 4, 8 }
  local aimed = random:chance(0.5)
  local there, back = random:int(0, 5), random:int(0, 5)
  for a = 1, dims do
    if aimed then -- through a corner
      local corner, way = random:int(-reach, reach) * FINE, random:int(-6, 6) * grain
      from[a], to[a] = corner - back * way, corner + there * way
    else
      local most = reach * FINE / grain
      from[a], to[a] = random:int(-most, most) * grain, random:int(-most, most) * grain
    end
  end
  return from, to
end

--- Converts eighths to cells.
function M.scaled(list)
  local out = {}
  for i, v in ipairs(list) do out[i] = v / FINE end
  return out
end

return M
