-- Checks the options of newWorld, and fills in the defaults.

local core = require "collide.core"
local check = require "collide.check"
local each = require "collide.each"

local M = {}

local FN = "collide.newWorld"

local OPTIONS = {
  width = true, height = true, broadphase = true, depth = true, loose = true,
  touching = true, groups = true, hits = true, fields = true, strict = true,
}

--- The options that cannot be changed later. A game may keep what it likes in width and height,
--- which are hints, and `hits` of a world is a method, which a test may replace.
M.FIXED = {
  broadphase = true, depth = true, loose = true, touching = true, groups = true, fields = true,
  strict = true,
}

--- The names of the broad phases; "auto" leaves the choice to the world.
M.BROADPHASES = { "auto", "grid", "quadtree", "incremental", "brute" }

local function isBroadphase(name)
  for _, known in ipairs(M.BROADPHASES) do
    if name == known then return true end
  end
  return false
end

local MAX_DEPTH = core.BROAD_MAX_DEPTH

-- The fields of an actor that a world reads, and whether each is optional.
local FIELDS = {
  x = false, y = false, shape = false,
  angle = true, group = true, static = true, sensor = true, oneWay = true, swept = true,
  name = true, hit = true, enter = true, leave = true, update = true, draw = true,
  save = true, load = true,
}

local function fields(given)
  local names = {}
  for field in each.pairs(FIELDS) do names[field] = field end
  if given == nil then return names end
  check.table(FN, "fields", given)
  local known = {}
  for field in each.pairs(FIELDS) do known[field] = true end
  check.keys(FN, "key of fields", given, known)
  for field, name in each.pairs(given) do
    local optional = FIELDS[field]
    if not (type(name) == "string" or name == false and optional) then
      check.fail(FN, "fields." .. field, optional and "string or false" or "string", name)
    end
    names[field] = name
  end
  return names
end

-- The option `groups` as a list without repetitions, with "default" first.
local function groups(given)
  if given == nil then return nil end
  check.table(FN, "groups", given, "list of group names")
  local list, known = { "default" }, { default = true }
  for i = 1, check.length(FN, "groups", given) do
    local name = given[i]
    if type(name) ~= "string" or name == "*" then
      check.fail(FN, ("groups[%d]"):format(i), 'string, but not "*"', name)
    end
    if not known[name] then list[#list + 1] = name end
    known[name] = true
  end
  if #list > core.MAX_GROUPS then
    check.raise(("%s: groups expected (at most %d, \"default\" among them), got %d"):format(FN,
      core.MAX_GROUPS, #list))
  end
  return list
end

local function hits(given)
  if given == nil then return nil end
  check.table(FN, "hits", given)
  local list = {}
  for i = 1, check.length(FN, "hits", given) do
    local pair, name = given[i], ("hits[%d]"):format(i)
    check.table(FN, name, pair, 'pair of group names such as {"player", "foe"}')
    local n = check.length(FN, name, pair)
    if n == 3 and pair[3] ~= "first" then
      check.fail(FN, name .. "[3]", '"first" or nothing', pair[3])
    elseif n ~= 2 and n ~= 3 then
      check.raise(("%s: %s expected (pair of group names), got %d names"):format(FN, name, n))
    end
    list[i] = {
      check.string(FN, name .. "[1]", pair[1]),
      check.string(FN, name .. "[2]", pair[2]),
      pair[3],
    }
  end
  return list
end

local function flag(name, value)
  if value == nil then return false end
  return check.boolean(FN, name, value)
end

---@class collide.Options
---@field width? number a hint for the broad phase; game code can read it as world.width
---@field height? number
---@field broadphase? "auto"|"grid"|"quadtree"|"incremental"|"brute"
---@field depth? integer levels of a quadtree below the whole field, 1 to 16
---@field loose? boolean a quadtree's cells overlap
---@field touching? boolean sharing only a boundary is a hit
---@field groups? string[] all groups that exist, besides "default": any other name raises an error
---@field hits? string[][] {a, b[, "first"]}: groups that hit, "*": any; "first": only a gets calls
---@field fields? collide.Fields the names under which actors are read
---@field strict? boolean finds a forgotten refresh, and fields in the wrong case

---@param given collide.Options?
---@return table options all of them set, except that width, height, groups and hits may be nil
function M.complete(given)
  if given == nil then given = {} end
  check.table(FN, "options", given, "table {width = …, height = …, …}")
  check.keys(FN, "option", given, OPTIONS)
  local broadphase = given.broadphase == nil and "auto" or given.broadphase
  if not isBroadphase(broadphase) then
    check.fail(FN, "broadphase", "one of " .. table.concat(M.BROADPHASES, ", "), broadphase)
  end
  return {
    width = given.width ~= nil and check.size(FN, "width", given.width) or nil,
    height = given.height ~= nil and check.size(FN, "height", given.height) or nil,
    broadphase = broadphase,
    depth = given.depth == nil and 0 or check.integer(FN, "depth", given.depth, 1, MAX_DEPTH),
    loose = flag("loose", given.loose),
    touching = flag("touching", given.touching),
    groups = groups(given.groups),
    hits = hits(given.hits),
    fields = fields(given.fields),
    strict = flag("strict", given.strict),
  }
end

return M
