-- Random numbers that are the same on every Lua, and the seeds of a run. Every random spec has its
-- seed in its name or its messages. COLLIDE_SEED sets the first seed, and COLLIDE_ROUNDS multiplies
-- the number of seeds; with a factor below 1 there are fewer, for slow collectors.
local M = {}
M.__index = M

--- The first seed of a run (1 unless COLLIDE_SEED says otherwise).
function M.seed()
  return tonumber(os.getenv("COLLIDE_SEED") or "") or 1
end

--- How many rounds a random spec plays, given how many it plays in a short run.
function M.rounds(usual)
  return math.ceil(usual * (tonumber(os.getenv("COLLIDE_ROUNDS") or "") or 1))
end

--- How often something must have happened in these rounds, if it happens more than `usual` times in
--- a short run. With more rounds the number stays the same.
function M.often(usual)
  return math.floor(usual * math.min(1, M.rounds(100) / 100))
end

--- How many actors, frames or repetitions a large case has: `usual`, or fewer if there are fewer
--- rounds.
function M.crowd(usual)
  return math.ceil(usual * math.min(1, M.rounds(100) / 100))
end

--- A new generator (Park and Miller's, exact in doubles).
function M.new(seed)
  local self = setmetatable({ state = (seed * 7919 + 104729) % 2147483646 + 1 }, M)
  for _ = 1, 4 do self:next() end
  return self
end

function M:next()
  self.state = (self.state * 16807) % 2147483647
  return self.state
end

--- An integer in a … b, or in 1 … a.
function M:int(a, b)
  if not b then a, b = 1, a end
  return a + self:next() % (b - a + 1)
end

--- A float in [a, b).
function M:float(a, b)
  return a + (b - a) * (self:next() / 2147483648)
end

function M:chance(p)
  return self:next() < p * 2147483647
end

function M:pick(list)
  return list[self:int(#list)]
end

return M
