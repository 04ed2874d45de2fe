-- Makes the tables of the READMEs from the figures of the benchmarks.

local M = {}

local every = unpack or table.unpack

-- A figure to two digits: more do not repeat from run to run.
local function short(v)
  if v >= 99.5 then return ("%.0f"):format(v) end
  return ("%.2g"):format(v)
end

local function spaced(n)
  return (("%d"):format(n):reverse():gsub("(%d%d%d)(%d)", "%1 %2"):reverse())
end

--- A count to two digits: 1600.
---@param n number
---@return string
function M.round(n)
  local unit = 10 ^ math.max(0, #("%d"):format(n) - 2)
  return spaced(math.floor(n / unit + 0.5) * unit)
end

local function line(out, ...)
  out[#out + 1] = "| " .. table.concat({ ... }, " | ") .. " |"
end

local function head(out, ...)
  out[#out + 1] = ""
  line(out, ...)
  out[#out + 1] = "|" .. (" --- |"):rep(select("#", ...))
end

-- A figure, and how many times ours it is.
local function cell(case, who, n)
  local found = case and case.who[who] and case.who[who][n]
  if not found then return "–" end
  local times = tonumber(found.times)
  if not times or times == 1 then return short(found.value) end
  return ("%s (%s ×)"):format(short(found.value), short(times))
end

local function cells(cases, who, ...)
  local list = {}
  for i = 1, select("#", ...) do
    local at = select(i, ...)
    list[i] = cell(cases[at[1]], who, at[2])
  end
  return every(list)
end

local function broadPhases(out, cases)
  local A1 = cases.A1
  if not A1 then return end
  local head1, at = {}, {}
  for i, n in ipairs(A1.n) do head1[i], at[i] = spaced(n), { "A1", n } end
  head(out, "the swarm in C: move, find pairs, ms a frame", every(head1))
  for _, who in ipairs(A1.who) do
    line(out, who.name == "auto" and "**collide, `auto`**" or who.name,
      cells(cases, who.name, every(at)))
  end
end

local function scenes(out, cases)
  local A1 = cases.A1
  if not A1 then return end
  local head1 = {}
  for i, n in ipairs(A1.n) do head1[i] = spaced(n) end
  head(out, "collide's `auto`, ns a box: move, find pairs", every(head1))
  for _, scene in ipairs {
    { "A1", "the swarm" }, { "A2", "sizes from 2 to 200" },
    { "A3", "80 % of all in 1 % of the field" }, { "A4", "far apart" },
    { "A5", "90 % static" },
  } do
    local case, list = cases[scene[1]], {}
    for i, n in ipairs(A1.n) do
      list[i] = case and short(case.who.auto[n].value / n * 1e6) or "–"
    end
    line(out, scene[2], every(list))
  end
end

-- The moves of a frame of a platform game, in ms.
local function walkers(out, cases)
  for _, who in ipairs { { "tiles", "**collide**, a map of tiles" },
    { "a wall each", "**collide**, an actor a wall" }, { "collide.bump", "collide.bump" },
    { "bump.lua", "bump.lua" }, { "by hand", "looked up in a table by hand" } } do
    local list, any = {}, false
    for i, lua in ipairs { "Lua 5.4", "LuaJIT" } do
      local case = cases["walkers " .. lua]
      local found = case and case.who[who[1]] and case.who[who[1]][1000]
      list[i], any = found and short(found.value) or "–", any or found
    end
    if any then line(out, "1000 walkers: " .. who[2], list[1], list[2], "–", "–") end
  end
end

--- Whole frames, for README.md, as Markdown.
---@param cases table<string, table>  as main.lua groups them
---@param machine string
---@return string
function M.frame(cases, machine)
  local out = { "On one core of: " .. machine .. "." }
  local at = { { "frame Lua 5.4", 1000 }, { "frame LuaJIT", 1000 }, { "frame LÖVE", 1000 },
    { "frame LÖVE", 10000 } }
  head(out, "ms a frame of boxes", "1000, Lua 5.4", "1000, LuaJIT", "1000, LÖVE",
    "10 000, LÖVE")
  for _, who in ipairs { "collide", "a grid in Lua", "all pairs", "love.physics" } do
    line(out, "swarm: " .. (who == "collide" and "**collide**" or who),
      cells(cases, who, every(at)))
  end
  walkers(out, cases)
  return table.concat(out, "\n") .. "\n"
end

-- Rows of the table of games: the label, the case, who, n.
local GAMES = {
  { "a move: a box on a map of tiles", "walkers", "tiles", 1000 },
  { "a box, an actor a wall", "walkers", "a wall each", 1000 },
  { "a circle on tiles", "walkers: circles", "tiles", 1000 },
  { "a capsule on tiles", "walkers: capsules", "tiles", 1000 },
  { "a box on tiles, a filter function", "walkers: functions", "a filter", 1000 },
  { "a box on tiles, a response function", "walkers: functions", "a response", 1000 },
  { "a box on tiles, with `into`", "walkers: hits", "in one list", 1000 },
  { "`collide.bump`, a wall each", "walkers", "collide.bump", 1000 },
  { "a character's move on tiles", "characters", "tiles", 1000 },
  { "a crushed box", "crushed", "a box", 20 },
  { "a crushed box, something near it moved", "crushed", "a box beside a moved one", 20 },
  { "a box that pushes others in a crowd", "crowd that pushes", "boxes", 1000 },
  { "the only ray after a step of 10 000", "a ray", "the only one after a step", 10000 },
  { "one of 1000 rays", "a ray", "one of 1000", 10000 },
  { "the only point after a step of 10 000", "a point", "the only one after a step", 10000 },
  { "one of 1000 points", "a point", "one of 1000", 10000 },
  { "the swarm's frame, a box, `strict = false`", "a box of the swarm by strict", "false", 1000 },
  { "`strict = nil`", "a box of the swarm by strict", "nil", 1000 },
  { "`strict = true`", "a box of the swarm by strict", "true", 1000 },
}

--- Where games spend their time, for examples/reference.md, as Markdown.
---@param cases table<string, table>  as main.lua groups them
---@param machine string
---@return string
function M.games(cases, machine)
  local out = { "On one core of: " .. machine .. "." }
  head(out, "µs", "Lua 5.4", "LuaJIT")
  for _, row in ipairs(GAMES) do
    local list = {}
    for i, lua in ipairs { "Lua 5.4", "LuaJIT" } do
      local case = cases[("%s %s"):format(row[2], lua)]
      local found = case and case.who[row[3]] and case.who[row[3]][row[4]]
      list[i] = found and short(found.value) or "–"
    end
    line(out, row[1], list[1], list[2])
  end
  return table.concat(out, "\n") .. "\n"
end

local function others(out, cases)
  local memory, few, ray = cases["memory of the swarm"], cases["memory where few hit"], cases.ray
  head(out, "besides", "")
  if memory and few then
    line(out, "memory of a world of 10 000 in C, an actor: the swarm; where few hit",
      ("%.0f; %.0f bytes"):format(memory.who["at most"][10000].value,
        few.who["at most"][10000].value))
  end
  local turning = cases["turning polygons"]
  if turning then
    line(out, "a step in C of 10 000 turning polygons with their ways out",
      ("%s ms; Chipmunk's hash %s"):format(cell(turning, "collide", 10000),
        cell(turning, "Chipmunk hash", 10000)))
  end
  local garbage = cases["garbage LuaJIT"]
  if garbage then
    line(out, "garbage of a frame of 1000, Lua 5.4; LuaJIT", ("%s; %s bytes"):format(
      cell(cases["garbage Lua 5.4"], "collide", 1000), cell(garbage, "collide", 1000)))
  end
  local movers = cases.movers
  if movers then
    line(out, "1000 boxes moved among tiles, ms (times a look-up by hand): C; LuaJIT; Lua 5.4",
      ("%s; %s; %s"):format(cell(movers, "tiles", 1000),
        cell(cases["movers LuaJIT"], "tiles", 1000), cell(cases["movers Lua 5.4"], "tiles", 1000)))
  end
  if ray then
    line(out, "closest hit of a 500-unit ray among 10 000 boxes, in C",
      ("%s µs; Chipmunk's hash %s, tree %s"):format(cell(ray, "collide", 10000),
        cell(ray, "Chipmunk hash", 10000), cell(ray, "Chipmunk tree", 10000)))
  end
end

-- A share at the fewest and the most circles that the table shows.
local function share(case, who, few, many)
  local a, b = case.who[who][few].value, case.who[who][many].value
  return a == 0 and b == 0 and "none" or ("%s %% to %s %%"):format(short(a), short(b))
end

--- Ways to find the hits between two groups of circles, for examples/reference.md, as Markdown.
---@param cases table<string, table>  as main.lua groups them
---@param machine string
---@return string
function M.bitmap(cases, machine)
  local name = "two groups of circles"
  local times = cases[name]
  local from = cases[name .. ": faster than all pairs from N on"] or { n = {}, who = {} }
  local missed, wrong = cases[name .. ": missed hits"], cases[name .. ": false hits"]
  local few, some, many = 1000, 5000, 20000
  local out = { "On one core of: " .. machine .. "." }
  head(out, "N, ms a frame", spaced(few), spaced(some), spaced(many), "missed", "made up",
    "faster than all pairs from")
  for _, who in ipairs(times.who) do
    local since = "–"
    for _, n in ipairs(from.n) do
      if from.who[who.name] and from.who[who.name][n] then since = M.round(n) end
    end
    line(out, who.name, short(who[few].value), short(who[some].value), short(who[many].value),
      share(missed, who.name, few, many), share(wrong, who.name, few, many), since)
  end
  return table.concat(out, "\n") .. "\n"
end

--- All other tables, for spec/bench/README.md, as Markdown.
---@param cases table<string, table>  as main.lua groups them
---@param machine string
---@return string
function M.tables(cases, machine)
  local out = { "On one core of: " .. machine .. "." }
  broadPhases(out, cases)
  scenes(out, cases)
  others(out, cases)
  return table.concat(out, "\n") .. "\n"
end

return M
