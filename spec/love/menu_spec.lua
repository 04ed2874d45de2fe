-- The menu of examples/love, with a mock of LÖVE: it shows all scenes, or how many more there are.

local written, filled, chosen

-- The heights of a line in LÖVE's own font of the two sizes.
local SMALL, NORMAL = 13, 15

-- A menu of `n` scenes, and the table `chosen` that records what is chosen.
local function menuOf(n)
  local names = {}
  for i = 1, n do names[i] = ("scene %02d"):format(i) end
  local stubs = {
    ["app.places"] = {
      root = "", scenes = function() return names end, scene = function(name) return name end,
    },
    ["app.theme"] = {
      SMALL = { getWrap = function() return 0, { "the first line", "the second", "more" } end },
      write = function(text, _, y) written[#written + 1] = { text = text, y = y } end,
    },
  }
  local before = rawget(_G, "love")
  local graphics = setmetatable({}, { __index = function() return function() end end })
  function graphics.rectangle(_, _, y, _, height)
    filled[#filled + 1] = { top = y, bottom = y + height }
  end
  rawset(_G, "love", { graphics = graphics })
  for name, stub in pairs(stubs) do package.loaded[name] = stub end
  local menu = dofile("examples/love/app/menu.lua")
  for name in pairs(stubs) do package.loaded[name] = nil end
  rawset(_G, "love", before)
  return menu.new(function(path) chosen = path end, function() end)
end

-- The scenes that are drawn, and the texts about further ones.
local function drawn(menu, height)
  written, filled = {}, {}
  menu:draw(960, height)
  local scenes, more, lowest = {}, {}, 0
  for _, line in ipairs(written) do
    if line.text:find "^scene" then scenes[#scenes + 1] = line.text end
    if line.text:find "more" then more[#more + 1] = line.text end
    lowest = math.max(lowest, line.y)
  end
  assert(lowest < height - 10, "it writes at " .. lowest)
  return scenes, table.concat(more, ", ")
end

describe("the menu of examples/love", function()
  it("shows all example scenes, or says how many more there are", function()
    local count = 0
    for _ in io.popen("ls examples/scenes/*.lua"):lines() do count = count + 1 end
    local scenes, more = drawn(menuOf(count), 640)
    local hidden = count - #scenes
    assert.equal(hidden > 0 and hidden .. " more below" or "", more)
  end)

  it("spaces eight entries so that all fit into its usual window", function()
    local scenes, more = drawn(menuOf(8), 640)
    assert.equal(8, #scenes)
    assert.equal("", more)
  end)

  it("frames the chosen entry with the two lines of its description", function()
    drawn(menuOf(8), 640)
    local lines = {}
    for _, line in ipairs(written) do
      if line.y >= filled[1].top and line.y < filled[1].bottom then lines[#lines + 1] = line end
    end
    assert.equal(2, #lines)
    assert.equal("the first line\nthe second", lines[2].text)
    assert.is_true(lines[1].y + NORMAL <= lines[2].y)
    assert.is_true(lines[2].y + 2 * SMALL <= filled[1].bottom)
  end)

  it("shows how many more there are, above and below", function()
    local menu = menuOf(20)
    local scenes, more = drawn(menu, 640)
    assert.equal("scene 01", scenes[1])
    assert.equal(("%d more below"):format(20 - #scenes), more)
    for _ = 1, 9 do menu:keypressed "down" end
    scenes, more = drawn(menu, 640)
    assert.equal("scene 10", scenes[#scenes])
    assert.equal(("%d more above, 10 more below"):format(10 - #scenes), more)
    for _ = 1, 30 do menu:keypressed "down" end
    scenes, more = drawn(menu, 640)
    assert.equal("scene 20", scenes[#scenes])
    assert.equal(("%d more above"):format(20 - #scenes), more)
  end)

  it("scrolls by the wheel, and does not scroll under the mouse", function()
    local menu = menuOf(20)
    local shown = #drawn(menu, 640)
    menu:wheelmoved(0, -3, 960, 640)
    local scenes = drawn(menu, 640)
    assert.equal("scene 04", scenes[1])
    menu:mousemoved(100, 120, 960, 640)
    menu:mousepressed(100, 120, 960, 640)
    assert.equal("scene 04", chosen)
    assert.equal("scene 04", drawn(menu, 640)[1])
    menu:wheelmoved(0, -99, 960, 640)
    assert.equal(("scene %02d"):format(21 - shown), drawn(menu, 640)[1])
    menu:wheelmoved(0, 99, 960, 640)
    assert.equal("scene 01", drawn(menu, 640)[1])
  end)

  it("shows one entry in a window that is too low, and none for an empty list", function()
    local menu = menuOf(3)
    written, filled = {}, {}
    menu:draw(960, 100)
    menu:keypressed "down"
    menu:keypressed "return"
    assert.equal("scene 02", chosen)
    assert.equal(0, #drawn(menuOf(0), 640))
  end)
end)
