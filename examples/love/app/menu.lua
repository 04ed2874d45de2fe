-- The list of all scenes.

local places = require "app.places"
local theme = require "app.theme"

local graphics = love.graphics

local M = {}

local MARGIN, TOP, ROW, GAP = 48, 112, 62, 8

local Menu = {}
Menu.__index = Menu

-- What a scene says of itself: the comment that its file begins with, up to an empty line of it.
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

---@param choose fun(path: string) what happens with the one that is chosen
---@param leave fun()
function M.new(choose, leave)
  local self = setmetatable({ choose = choose, leave = leave, chosen = 1, entries = {} }, Menu)
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

-- How many entries there is room for, and the first of those shown.
local function page(self, height)
  local room = math.max(1, math.floor((height - TOP - MARGIN) / (ROW + GAP)))
  return room, math.max(1, self.chosen - room + 1)
end

local function entryAt(self, x, y, width, height)
  if x < MARGIN or x > width - MARGIN or y < TOP then return nil end
  local room, first = page(self, height)
  local place = math.floor((y - TOP) / (ROW + GAP))
  if place < room and self.entries[first + place] then return first + place end
end

function Menu:mousemoved(x, y, width, height)
  self.chosen = entryAt(self, x, y, width, height) or self.chosen
end

function Menu:mousepressed(x, y, width, height)
  if entryAt(self, x, y, width, height) then go(self) end
end

local function drawEntry(entry, isChosen, x, y, width)
  if isChosen then
    graphics.setColor(theme.CHOSEN)
    graphics.rectangle("fill", x, y, width, ROW, 4)
    graphics.setColor(theme.ACCENT)
    graphics.rectangle("fill", x, y, 4, ROW, 2)
  end
  theme.write(entry.name, x + 20, y + 8, isChosen and theme.ACCENT or theme.TEXT, theme.NORMAL)
  local _, lines = theme.SMALL:getWrap(entry.about, width - 40)
  theme.write(table.concat(lines, "\n", 1, math.min(2, #lines)), x + 20, y + 27, theme.MUTED,
    theme.SMALL)
end

function Menu:draw(width, height)
  theme.write("collide", MARGIN, 40, theme.TEXT, theme.LARGE)
  theme.write(#self.entries > 0 and "up, down and enter, or a click"
    or "no scenes in " .. places.root .. "/examples/scenes", MARGIN, 72, theme.MUTED, theme.NORMAL)
  local room, first = page(self, height)
  for i = first, math.min(#self.entries, first + room - 1) do
    drawEntry(self.entries[i], i == self.chosen, MARGIN, TOP + (i - first) * (ROW + GAP),
      width - 2 * MARGIN)
  end
end

return M
