-- The list of all scenes.

local places = require "app.places"
local theme = require "app.theme"

local graphics = love.graphics

local M = {}

local MARGIN, TOP = 48, 112

-- The distance between entries: as large as lets all of them be seen, within these limits.
local LEAST, MOST, GAP = 60, 70, 8

local Menu = {}
Menu.__index = Menu

-- The description of a scene: the comment at the beginning of its file, up to its first empty line.
local function about(name)
  local words = {}
  local file = io.open(places.scene(name), "r")
  if not file then return "" end
  for line in file:lines() do
    local text = line:match("^%-%-%s?(.*)$")
    if not text or text == "" then break end
    words[#words + 1] = text
  end
  file:close()
  return table.concat(words, " ")
end

---@param choose fun(path: string) called with the chosen scene
---@param leave fun()
function M.new(choose, leave)
  local self = setmetatable({
    choose = choose, leave = leave, chosen = 1, first = 1, entries = {},
  }, Menu)
  for i, name in ipairs(places.scenes()) do
    self.entries[i] = { name = name, about = about(name) }
  end
  return self
end

function Menu.update() end

local function go(self)
  local entry = self.entries[self.chosen]
  if entry then self.choose(places.scene(entry.name)) end
end

function Menu:keypressed(key)
  local n = #self.entries
  if key == "escape" then
    self.leave()
  elseif key == "down" then
    self.chosen = math.min(n, self.chosen + 1)
  elseif key == "up" then
    self.chosen = math.max(1, self.chosen - 1)
  elseif key == "return" or key == "kpenter" or key == "space" then
    go(self)
  end
end

-- The first and the last entry that are shown, with the chosen one among them, and the distance
-- between entries.
local function page(self, height)
  local n, high = #self.entries, height - TOP - MARGIN
  local pitch = math.max(LEAST, math.min(MOST, math.floor(high / math.max(1, n))))
  local shown = math.max(1, math.min(n, math.floor(high / pitch)))
  local first = math.min(self.first, self.chosen, n - shown + 1)
  self.first = math.max(1, first, self.chosen - shown + 1)
  return self.first, self.first + shown - 1, pitch
end

local function entryAt(self, x, y, width, height)
  if x < MARGIN or x > width - MARGIN or y < TOP then return nil end
  local first, last, pitch = page(self, height)
  local i = first + math.floor((y - TOP) / pitch)
  if i <= last and self.entries[i] then return i end
end

function Menu:mousemoved(x, y, width, height)
  self.chosen = entryAt(self, x, y, width, height) or self.chosen
end

function Menu:wheelmoved(_, up, _, height)
  local first, last = page(self, height)
  local shown = last - first + 1
  self.first = math.max(1, math.min(#self.entries - shown + 1, first - up))
  self.chosen = math.max(self.first, math.min(self.first + shown - 1, self.chosen))
end

function Menu:mousepressed(x, y, width, height)
  if entryAt(self, x, y, width, height) then go(self) end
end

local function drawEntry(entry, isChosen, x, y, width, high)
  if isChosen then
    graphics.setColor(theme.CHOSEN)
    graphics.rectangle("fill", x, y, width, high, 4)
    graphics.setColor(theme.ACCENT)
    graphics.rectangle("fill", x, y, 4, high, 2)
  end
  theme.write(entry.name, x + 20, y + 5, isChosen and theme.ACCENT or theme.TEXT, theme.NORMAL)
  local _, lines = theme.SMALL:getWrap(entry.about, width - 40)
  theme.write(table.concat(lines, "\n", 1, math.min(2, #lines)), x + 20, y + 22, theme.MUTED,
    theme.SMALL)
end

function Menu:draw(width, height)
  theme.write("collide", MARGIN, 40, theme.TEXT, theme.LARGE)
  theme.write(#self.entries > 0 and "up, down and enter, or a click"
    or "no scenes in " .. places.root .. "/examples/scenes", MARGIN, 72, theme.MUTED, theme.NORMAL)
  local n = #self.entries
  local first, last, pitch = page(self, height)
  for i = first, math.min(n, last) do
    drawEntry(self.entries[i], i == self.chosen, MARGIN, TOP + (i - first) * pitch,
      width - 2 * MARGIN, pitch - GAP)
  end
  local function more(count, where, y)
    if count > 0 then
      theme.write(("%d more %s"):format(count, where), MARGIN + 20, y, theme.ACCENT, theme.SMALL)
    end
  end
  more(first - 1, "above", TOP - 18)
  more(n - last, "below", TOP + (last - first + 1) * pitch + 4)
end

return M
