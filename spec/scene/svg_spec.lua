-- Pictures: the arguments of the canvas, and the bytes that it writes.
local collide = require "collide"
local canvas = require "collide.canvas"
local expect = require "spec.support.expect"
local texts = require "collide.scene.text"
local scenes = require "collide.scene"
local svg = require "collide.scene.svg"

-- The text that f draws on a canvas of 200 × 100, without the lines around it.
local function drawn(f, width, height)
  local c = svg.canvas(width or 200, height or 100)
  f(c)
  return (c:text():match('xml:space="preserve">\n(.*)</g>\n</svg>\n$'))
end

describe("svg.canvas", function()
  it("writes a whole file, the same bytes on every Lua", function()
    --    0        40   60        100
    --  0 +--------------------------+
    --    |  +-----+     __          |
    -- 20 |  |     |    /  \  radius |
    --    |  +-----+    \__/  10     |
    -- 50 +--------------------------+
    local scene = scenes.load {
      width = 180, height = 50,
      setup = function(scene)
        scene.world:add { x = 10.25, y = 10, shape = collide.rectangle(30, 20) }
        scene.world:add { x = 60, y = 20.125, shape = collide.circle(10) }
        scene.world:add { x = 100, y = 20, angle = math.pi / 2, shape = collide.rectangle(20, 10) }
      end,
      draw = function(scene, on)
        for i, actor in ipairs(scene.world:actors()) do
          on:setColor(i / 4, 0, 0.2)
          on:shape(i == 2 and "line" or "fill", actor.shape, actor.x, actor.y, actor.angle)
        end
        on:setColor(0, 0, 0, 0.5)
        on:line(0, 50, 90, 25, 180, 50)
        on:print("a < b\n\n& c", 4, 30)
      end,
    }
    local c = svg.canvas(scene.width, scene.height)
    scene:run(0):draw(c)
    assert.equal([[
<svg xmlns="http://www.w3.org/2000/svg" width="180" height="50" viewBox="0 0 180 50">
<rect width="180" height="50" fill="#fcfbf7"/>
<g fill="none" stroke-width="1" stroke-linecap="round" stroke-linejoin="round" ]] ..
[[font-family="sans-serif" font-size="12" xml:space="preserve">
<rect x="10.25" y="10" width="30" height="20" fill="#400033"/>
<circle cx="60" cy="20.13" r="10" stroke="#800033"/>
<polygon points="100 20 100 40 90 40 90 20" fill="#bf0033"/>
<polyline points="0 50 90 25 180 50" stroke="#000" stroke-opacity="0.5"/>
<text x="4" y="41" fill="#000" fill-opacity="0.5">a &lt; b</text>
<text x="4" y="69" fill="#000" fill-opacity="0.5">&amp; c</text>
</g>
</svg>
]], c:text())
  end)

  it("draws in black until a colour is set", function()
    assert.equal('<rect x="0" y="0" width="1" height="1" fill="#000"/>\n', drawn(function(c)
      c:shape("fill", collide.rectangle(1, 1), 0, 0)
    end))
  end)

  it("writes colours briefly, and clamps them to 0 … 1", function()
    local function color(...)
      local args = { ... }
      return drawn(function(c)
        c:setColor((table.unpack or unpack)(args))
        c:print("x", 0, 0)
      end):match('fill=[^>]*')
    end
    assert.equal('fill="#f00"', color(1, 0, 0))
    assert.equal('fill="#f00"', color(7, -3, 0, 2))
    assert.equal('fill="#fe0000"', color(0.996, 0, 0))
    assert.equal('fill="#369" fill-opacity="0.123"', color(0.2, 0.4, 0.6, 0.1234))
    assert.equal('fill="#369" fill-opacity="0"', color(0.2, 0.4, 0.6, 0))
  end)

  it("accepts a colour as a list, and an alpha with it", function()
    local function color(...)
      local args = { ... }
      return drawn(function(c)
        c:setColor((table.unpack or unpack)(args))
        c:print("x", 0, 0)
      end):match('fill=[^>]*')
    end
    assert.equal('fill="#369"', color { 0.2, 0.4, 0.6 })
    assert.equal('fill="#369" fill-opacity="0.5"', color { 0.2, 0.4, 0.6, 0.5 })
    assert.equal('fill="#369" fill-opacity="0.1"', color({ 0.2, 0.4, 0.6 }, 0.1))
    assert.equal('fill="#369" fill-opacity="0.1"', color({ 0.2, 0.4, 0.6, 0.5 }, 0.1))
  end)

  it("draws rectangles and circles like the shapes", function()
    local function both(of)
      return drawn(function(c) of(c, "fill") of(c, "line") end)
    end
    assert.equal(both(function(c, mode) c:shape(mode, collide.rectangle(30, 20), 4, 5.5) end),
      both(function(c, mode) c:rectangle(mode, 4, 5.5, 30, 20) end))
    assert.equal(both(function(c, mode) c:shape(mode, collide.circle(30), 4, 5.5) end),
      both(function(c, mode) c:circle(mode, 4, 5.5, 30) end))
    assert.equal('<rect x="1" y="2" width="0" height="4" fill="#000"/>\n',
      drawn(function(c) c:rectangle("fill", 1, 2, 0, 4) end))
  end)

  it("writes no more digits than are visible", function()
    local function point(x, y, size)
      return drawn(function(c) c:line(x, y, 1, 1) end, size, size):match('points="(%S+ %S+) ')
    end
    assert.equal("0.33 -1.5", point(1 / 3, -1.5, 200))
    assert.equal("0 0", point(-0.001, -0.0, 200))
    assert.equal("100 1000000", point(100, 1e6, 200))
    -- A field of 2 metres is 800 pixels wide, so a millimetre counts.
    assert.equal("0.33333 0.001", point(1 / 3, 0.001, 2))
    assert.equal("333333 0", point(333333.3, 0.01, 1e5))
  end)

  it("scales very small and very large scenes to the screen", function()
    local function frame(width, height)
      return svg.canvas(width, height):text():match("^<svg [^>]-(width=.-)>"),
        svg.canvas(width, height):text():match('stroke%-width="(.-)".-font%-size="(.-)"')
    end
    assert.equal('width="500" height="400" viewBox="0 0 500 400"', (frame(500, 400)))
    assert.equal('width="800" height="400" viewBox="0 0 8 4"', (frame(8, 4)))
    assert.equal('width="800" height="200" viewBox="0 0 80000 20000"', (frame(80000, 20000)))
    assert.same({ "0.01", "0.12" }, { select(2, frame(8, 4)) })
  end)

  it("escapes text for XML", function()
    local function text(t)
      return drawn(function(c) c:print(t, 0, 0) end):match(">(.*)</text>")
    end
    assert.equal("&lt;a href=&quot;x&quot;&gt; &amp; 'b'", text '<a href="x"> & \'b\'')
    assert.equal("  é → 𝄞", text "  é → 𝄞")
    assert.equal("12", text(12))
    local unknown = "\239\191\189"
    assert.equal(unknown .. "a" .. unknown .. "b\tc", text "\0a\27b\tc")
    assert.equal(unknown .. "a" .. unknown:rep(3), text "\255a\237\160\128")
    assert.equal(unknown, text "\195")
    assert.equal("", drawn(function(c) c:print("", 0, 0) end))
  end)

  it("says what is wrong with its arguments", function()
    local c = svg.canvas(10, 10)
    local box = collide.rectangle(1, 1)
    local function fails(message, method, ...)
      expect.raises({ "svg_spec.lua:", "canvas:" .. method, message }, function(...)
        c[method](c, ...)
      end, ...)
    end
    fails("r expected (finite number), got nil", "setColor")
    fails("b expected (finite number), got nan", "setColor", 0, 0, 0 / 0)
    fails("a expected (finite number), got string", "setColor", 0, 0, 0, "1")
    fails("takes three or four numbers, or a list, got 5 arguments", "setColor", 0, 0, 0, 0, 0)
    fails("color[2] expected (finite number), got nil", "setColor", { 1 })
    fails("color[4] expected (finite number), got string", "setColor", { 1, 1, 1, "1" })
    fails("takes a list and an alpha, got 3 arguments", "setColor", { 1, 1, 1 }, 1, 1)
    fails("w expected (number from 0 to 1e12), got -1", "rectangle", "fill", 0, 0, -1, 2)
    fails('mode expected ("fill" or "line"), got number 3', "circle", 3, 0, 0)
    fails('mode expected ("fill" or "line"), got string "full"', "shape", "full", box, 0, 0)
    fails("shape expected (shape", "shape", "fill", {}, 0, 0)
    fails("x expected (finite number", "shape", "fill", box)
    fails("y expected (finite number within ±1e12), got inf", "shape", "fill", box, 0, 1 / 0)
    fails("angle expected", "shape", "fill", box, 0, 0, "0")
    fails("takes mode, shape, x, y and angle, got 6", "shape", "fill", box, 0, 0, 0, 0)
    fails("takes x, y of two points or more, got 2 numbers", "line", 1, 2)
    fails("takes x, y of two points or more, got 5 numbers", "line", 1, 2, 3, 4, 5)
    fails("y2 expected (finite number), got boolean true", "line", 1, 2, 3, true)
    fails("x1 expected (finite number), got nan", "line", { 0 / 0, 2, 3, 4 })
    fails("centres expected (list {x1, y1, x2, y2, …}), got nil", "circles")
    fails("centres expected (x, y of each), got 3 numbers", "circles", { 1, 2, 3 }, 4)
    fails("centres[2] expected (finite number), got nan", "circles", { 1, 0 / 0 }, 4)
    fails("r expected (positive number", "circles", { 1, 2 }, 0)
    fails("takes a list and a radius, got 3 arguments", "circles", { 1, 2 }, 1, 2)
    fails("text expected (string), got table", "print", {}, 1, 2)
    fails("y expected (finite number), got nil", "print", "a", 1)
  end)

  it("draws many circles in one call", function()
    local text = drawn(function(c)
      c:circles({ 1, 2, 4, 5 }, 3)
      c:circles({}, 3)
    end)
    assert.equal('<circle cx="1" cy="2" r="3" fill="#000"/>\n'
      .. '<circle cx="4" cy="5" r="3" fill="#000"/>\n', text)
  end)

  it("accepts a list of points for a line", function()
    assert.equal('<polyline points="1 2 3 4" stroke="#000"/>\n', drawn(function(c)
      c:line { 1, 2, 3, 4 }
    end))
  end)
end)

describe("the outline of", function()
  local function picture(shape, mode, x, y, angle)
    return drawn(function(c)
      canvas.drawShape(c._brush, mode or "fill", shape, x or 0, y or 0, angle)
    end)
  end

  it("a rectangle: unturned, turned about its corner, and upright", function()
    local box = collide.rectangle(20, 10)
    assert.equal('<rect x="5" y="6" width="20" height="10" fill="#000"/>\n',
      picture(box, "fill", 5, 6, 0))
    assert.equal('<polygon points="5 6 5 26 -5 26 -5 6" stroke="#000"/>\n',
      picture(box, "line", 5, 6, math.pi / 2))
    assert.equal('<rect x="5" y="6" width="20" height="10" fill="#000"/>\n',
      picture(box:upright(), "fill", 5, 6, 1))
  end)

  it("a circle beside its actor", function()
    assert.equal('<circle cx="5" cy="16" r="2" fill="#000"/>\n',
      picture(collide.circle(10, 0, 2), "fill", 5, 6, math.pi / 2))
  end)

  it("a polygon", function()
    local triangle = collide.polygon(0, 0, 10, 0, 0, 10)
    assert.equal('<polygon points="1 1 11 1 1 11" fill="#000"/>\n', picture(triangle, "fill", 1, 1))
    assert.equal('<polygon points="1 1 1 11 -9 1" stroke="#000"/>\n',
      picture(triangle, "line", 1, 1, math.pi / 2))
    assert.equal('<polygon points="1 1 11 1 1 11" fill="#000"/>\n',
      picture(triangle:upright(), "fill", 1, 1, 1))
    assert.equal('<polygon points="0 0 0 2 -1 2 -1 0" fill="#000"/>\n',
      picture(collide.rectangle(2, 1):rotated(math.pi / 2)))
  end)

  --   0  5  10
  --  0+-----+
  --   |   /
  --  5|  <        cut from the dent to 0, 10
  --   |.` \
  -- 10+-----+
  local dented = collide.polygon(0, 0, 10, 0, 5, 5, 10, 10, 0, 10)

  -- The calls of a brush that cannot fill concave polygons.
  local function pieces(shape, mode, angle)
    local got = {}
    local function note(name, points)
      local out = {}
      for i, v in ipairs(points) do out[i] = texts.short(v, 3) end
      got[#got + 1] = name .. " " .. table.concat(out, " ")
    end
    canvas.drawShape({
      convexOnly = true,
      polygon = function(_, how, points) note("polygon " .. how, points) end,
      line = function(_, points) note("line", points) end,
    }, mode, shape, 0, 0, angle)
    return got
  end

  it("a concave polygon, in one piece or in convex parts", function()
    assert.equal('<polygon points="0 0 10 0 5 5 10 10 0 10" fill="#000"/>\n', picture(dented))
    assert.same({ "polygon fill 0 0 10 0 5 5 0 10", "polygon fill 5 5 10 10 0 10" },
      pieces(dented, "fill"))
    assert.same({ "polygon fill 0 0 0 10 -5 5 -10 0", "polygon fill -5 5 -10 10 -10 0" },
      pieces(dented, "fill", math.pi / 2))
    assert.same({ "polygon line 0 0 10 0 5 5 10 10 0 10" }, pieces(dented, "line"))
  end)

  it("a capsule, also one of no length", function()
    local capsule = collide.capsule(10, 10, 20, 10, 2)
    assert.equal('<path d="M10 12 A2 2 0 0 1 10 8 L20 8 A2 2 0 0 1 20 12 Z" fill="#000"/>\n',
      picture(capsule))
    assert.equal('<path d="M-12 10 A2 2 0 0 1 -8 10 L-8 20 A2 2 0 0 1 -12 20 Z" stroke="#000"/>\n',
      picture(capsule, "line", 0, 0, math.pi / 2))
    assert.equal('<circle cx="10" cy="10" r="2" fill="#000"/>\n',
      picture(collide.capsule(10, 10, 10, 10, 2)))
  end)

  it("a segment, which has no inside", function()
    assert.equal('<polyline points="1 2 3 4" stroke="#000"/>\n',
      picture(collide.segment(1, 2, 3, 4)))
  end)

  it("a chain, open and closed", function()
    local points = { 0, 0, 9, 0, 9, 9 }
    assert.equal('<polyline points="0 0 9 0 9 9" stroke="#000"/>\n',
      picture(collide.chain(points)))
    assert.equal('<polyline points="1 0 10 0 10 9 1 0" stroke="#000"/>\n',
      picture(collide.chain(points, true), "line", 1))
  end)

  it("a compound, which turns as one", function()
    local lollipop = collide.compound(collide.circle(10, 0, 2), collide.segment(0, 0, 8, 0))
    assert.equal('<circle cx="0" cy="10" r="2" fill="#000"/>\n' ..
      '<polyline points="0 0 0 8" stroke="#000"/>\n',
      picture(lollipop, "fill", 0, 0, math.pi / 2))
  end)

  it("a compound leaves out the edges that its parts share", function()
    --    0    10   20
    --  0 +----+----+
    --    |    :    |
    -- 10 +----+----+
    local boxes = collide.compound(collide.rectangle(10, 10), collide.rectangle(10, 0, 10, 10))
    assert.equal('<polyline points="10 10 0 10 0 0 10 0" stroke="#000"/>\n' ..
      '<polyline points="10 0 20 0 20 10 10 10" stroke="#000"/>\n', picture(boxes, "line"))
    assert.equal('<rect x="0" y="0" width="10" height="10" fill="#000"/>\n' ..
      '<rect x="10" y="0" width="10" height="10" fill="#000"/>\n', picture(boxes, "fill"))
    -- The same for the cut through a polygon.
    local underlined = collide.compound(dented, collide.segment(0, 20, 5, 20))
    assert.same({ "line 0 10 0 0 10 0 5 5", "line 5 5 10 10 0 10", "line 0 20 5 20" },
      pieces(underlined, "line"))
  end)

  it("tiles shows the shapes of their values", function()
    local grid = collide.newGrid(3, 1, { cell = 10 })
    grid:load("\1\2\3")
    local slope = collide.polygon(0, 1, 1, 0, 1, 1)
    local tiles = collide.tiles(grid, { [2] = slope, [3] = collide.circle(0.5, 0.5, 0.5) })
    assert.equal("10 10 20 0 20 10", picture(tiles):match('<polygon points="([^"]*)"'))
    assert.is_truthy(picture(tiles):find('<rect x="0" y="0" width="10" height="10"', 1, true))
    assert.is_truthy(picture(tiles):find('<circle cx="25" cy="5" r="5"', 1, true))
  end)

  it("tiles follows changes of the grid", function()
    local grid = collide.newGrid(1, 1, { cell = 10 })
    local tiles = collide.tiles(grid)
    assert.equal("", picture(tiles))
    grid:set(0, 0, 1)
    assert.equal('<rect x="0" y="0" width="10" height="10" fill="#000"/>\n', picture(tiles))
  end)

  it("tiles has sensors in outline", function()
    local grid = collide.newGrid({ "#~" }, { cell = 10, values = { ["#"] = 1, ["~"] = 2 } })
    local text = picture(collide.tiles(grid, { [2] = { sensor = true } }))
    assert.equal('<rect x="0" y="0" width="10" height="10" fill="#000"/>\n'
      .. '<rect x="10" y="0" width="10" height="10" stroke="#000"/>\n', text)
  end)
end)

describe("canvas.PAPER", function()
  it("is the background of a picture", function()
    assert.equal(3, #canvas.PAPER)
    local text = svg.canvas(200, 200):text()
    assert.is_truthy(text:find('<rect width="200" height="200" fill="#fcfbf7"/>', 1, true))
  end)
end)

describe("a text in a picture", function()
  it("has only characters that XML allows", function()
    local picture = svg.canvas(200, 200)
    picture:print("a\239\191\190b\239\191\191c\1d\194\133e", 0, 0)
    local replaced = ">a\239\191\189b\239\191\189c\239\191\189d\239\191\189e<"
    assert.is_truthy(picture:text():find(replaced, 1, true))
  end)
end)
