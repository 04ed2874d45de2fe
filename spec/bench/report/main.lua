-- Shows the results of the benchmarks as tables on the screen, and draws charts of them.
--   lua main.lua FOLDER MACHINE
-- FOLDER has the CSV files, and gets the charts.

local chart = require "chart"
local readme = require "readme"

local FOLDER, MACHINE = arg[1], arg[2]
local HEADER = "case,who,n,value,unit,times,found"

local function fields(line)
  local list = {}
  for field in (line .. ","):gmatch("([^,]*),") do list[#list + 1] = field end
  return list
end

-- The width of a text on the screen: its number of characters.
local function width(text)
  return select(2, text:gsub("[^\128-\191]", ""))
end

local function pad(text, to, right)
  local space = (" "):rep(to - width(text))
  return right and space .. text or text .. space
end

local function show(grid)
  local widths = {}
  for _, line in ipairs(grid) do
    for i, text in ipairs(line) do widths[i] = math.max(widths[i] or 0, width(text)) end
  end
  for _, line in ipairs(grid) do
    local out = {}
    for i, text in ipairs(line) do out[i] = pad(text, widths[i], i > 1) end
    print((table.concat(out, "  "):gsub(" +$", "")))
  end
end

-- Cases in the order of the files: each has its `who`s, and for each the rows by n.
local function group(rows)
  local cases = {}
  for _, row in ipairs(rows) do
    local case, who, n = row[1], row[2], tonumber(row[3])
    if not cases[case] then
      cases[case] = { name = case, unit = row[5], who = {}, n = {} }
      cases[#cases + 1] = cases[case]
    end
    case = cases[case]
    if not case.who[who] then
      case.who[who] = { name = who }
      case.who[#case.who + 1] = case.who[who]
    end
    case.who[who][n] = { value = tonumber(row[4]), times = row[6], found = row[7] }
    if not case.n[n] then
      case.n[n] = true
      case.n[#case.n + 1] = n
    end
  end
  return cases
end

-- Whether a case has one n for each who: the n is what was found.
local function isList(case)
  for _, who in ipairs(case.who) do
    local rows = 0
    for _, n in ipairs(case.n) do rows = rows + (who[n] and 1 or 0) end
    if rows ~= 1 then return false end
  end
  return #case.n > 1
end

-- A line for each who: n, value.
local function showList(case)
  local grid = { { case.name, "N", case.unit } }
  for _, who in ipairs(case.who) do
    for _, n in ipairs(case.n) do
      if who[n] then
        grid[#grid + 1] = { "  " .. who.name, ("%d"):format(n), ("%.4g"):format(who[n].value) }
      end
    end
  end
  print()
  show(grid)
end

-- A case as a table: a line for each who, two columns for each n.
local function tabulate(case)
  local head = { case.name .. ", " .. case.unit }
  for _, n in ipairs(case.n) do
    head[#head + 1] = ("%d"):format(n)
    head[#head + 1] = ""
  end
  local grid = { head }
  local first = case.who[1]
  if first[case.n[1]].found ~= "" then
    local line = { "  (found)" }
    for _, n in ipairs(case.n) do
      line[#line + 1] = first[n] and first[n].found or ""
      line[#line + 1] = ""
    end
    grid[2] = line
  end
  for _, who in ipairs(case.who) do
    local line = { "  " .. who.name }
    for _, n in ipairs(case.n) do
      local cell = who[n]
      line[#line + 1] = cell and ("%.4g"):format(cell.value) or "-"
      line[#line + 1] = cell and cell.times ~= "" and "x " .. cell.times or ""
    end
    grid[#grid + 1] = line
  end
  print()
  show(grid)
end

local function points(case, who)
  local list = {}
  for _, n in ipairs(case.n) do
    if who[n] then list[#list + 1] = { n, who[n].value } end
  end
  return list
end

local function write(name, text)
  local path = FOLDER .. "/" .. name
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  print(path)
end

local function draw(name, title, series, x, more)
  write(name .. ".svg", chart.svg { title = title,
    subtitle = ("medians, one core, %s%s"):format(MACHINE, more or ""),
    x = x or "boxes", y = "milliseconds a frame", series = series })
end

-- The names that the benchmarks use for what a user of collide gets by default.
local OURS = { auto = true, collide = true, world = true, tiles = true }

local function isPeer(who)
  return who:find("^Chipmunk") or who:find("^Box2D")
end

local TITLES = {
  A1 = "A1, a swarm: move the boxes, find all pairs",
  A2 = "A2, boxes of 2 to 200: move them, find all pairs",
  A3 = "A3, a crowd in a corner: move the boxes, find all pairs",
  A4 = "A4, far apart: move the boxes, find all pairs",
  A5 = "A5, nine of ten stay: move the boxes, find all pairs",
  ["two groups of circles"] = "Who of one half of the circles hits any of the other",
}

-- Where a curve falls below that of all pairs, by the name of the case.
local BREAK_EVEN = ": faster than all pairs from N on"

local function markBreakEven(case, curve)
  for _, n in ipairs(case.n) do
    local found = case.who[curve.name] and case.who[curve.name][n]
    if found then
      curve.mark = { n, found.value }
      curve.name = ("%s: from %s"):format(curve.name, readme.round(n))
    end
  end
end

-- A chart of milliseconds, where there is more than one number of boxes to draw a line through.
local function drawCase(cases, case)
  if case.unit ~= "ms" or #points(case, case.who[1]) < 2 then return end
  local series, breakEven = {}, cases[case.name .. BREAK_EVEN]
  for i, who in ipairs(case.who) do
    series[i] = {
      name = who.name == "auto" and "collide, auto" or who.name,
      points = points(case, who),
      ours = OURS[who.name],
      dashed = isPeer(who.name),
    }
    if breakEven then markBreakEven(breakEven, series[i]) end
  end
  draw((case.name:gsub("LÖVE", "love"):lower():gsub("[^%w.]+", "-")),
    TITLES[case.name] or case.name:gsub("^frame", "The swarm's whole frame,"), series,
    case.name:find("circles") and "circles",
    breakEven and "; rings: faster than all pairs from there on")
end

-- The frames of all Luas together: the Lua, `who`, and the name in the chart if it is another.
local FRAMES = {
  { "LuaJIT", "collide" }, { "Lua 5.4", "collide" }, { "LuaJIT", "a grid in Lua" },
  { "Lua 5.4", "a grid in Lua" }, { "LuaJIT", "all pairs" }, { "Lua 5.4", "all pairs" },
  { "LÖVE", "love.physics" },
}
local WALKERS = {
  { "LuaJIT", "tiles", "collide" }, { "Lua 5.4", "tiles", "collide" },
  { "LuaJIT", "by hand" }, { "Lua 5.4", "by hand" }, { "LuaJIT", "collide.bump" },
  { "Lua 5.4", "collide.bump" }, { "LuaJIT", "bump.lua" }, { "Lua 5.4", "bump.lua" },
}

-- A chart of the cases `name` of each Lua. A walker's figure is the time of one move.
local function drawFrames(cases, name, lines, file, title, x)
  local series = {}
  for _, line in ipairs(lines) do
    local case = cases[("%s %s"):format(name, line[1])]
    local who = case and case.who[line[2]]
    if who then
      local list = points(case, who)
      if case.unit == "us" then
        for _, point in ipairs(list) do point[2] = point[1] * point[2] / 1000 end
      end
      series[#series + 1] = { name = ("%s, %s"):format(line[3] or line[2], line[1]),
        points = list, ours = OURS[line[2]], dashed = line[1] == "Lua 5.4" }
    end
  end
  if series[1] then draw(file, title, series, x) end
end

-- Reads rows in the form of the benchmarks; files of another form are shown as they are.
local function read(path)
  local rows, grid, ours = {}, {}, false
  for line in io.lines(path) do
    if line == HEADER then ours = true
    elseif line:sub(1, 1) ~= "#" then
      local list = ours and rows or grid
      list[#list + 1] = fields(line)
    end
  end
  if not ours then
    print()
    show(grid)
  end
  return rows
end

local all = {}
for i = 3, #arg do
  for _, row in ipairs(read(FOLDER .. "/" .. arg[i] .. ".csv")) do all[#all + 1] = row end
end
local cases = group(all)
for _, case in ipairs(cases) do (isList(case) and showList or tabulate)(case) end
print()
for _, case in ipairs(cases) do drawCase(cases, case) end
drawFrames(cases, "frame", FRAMES, "frame",
  "The swarm's whole frame: move, find all pairs, tell both")
drawFrames(cases, "walkers", WALKERS, "games",
  "A platform game: walkers fall, slide and turn at walls", "walkers")
write("frame.md", readme.frame(cases, MACHINE))
write("tables.md", readme.tables(cases, MACHINE))
write("games.md", readme.games(cases, MACHINE))
if cases["two groups of circles"] then write("bitmap.md", readme.bitmap(cases, MACHINE)) end
