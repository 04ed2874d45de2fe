-- The rules of a step: which callbacks are called, in which order, and what they may do to the
-- world. Interruptions are tested in interrupt_spec.lua.
local collide = require "collide"
local broadphases = require "spec.support.broadphases"
local expect = require "spec.support.expect"
local recorder = require "spec.support.recorder"

local box = collide.rectangle(10, 10)
local far = 1000

local world, log

-- Adds an actor of 10 × 10 at x, 0, unless `fields` says otherwise.
local function put(name, x, on, fields, without)
  local actor = log:actor(name, fields or {}, on, without)
  actor.x, actor.y, actor.shape = x, actor.y or 0, actor.shape or box
  return world:add(actor)
end

local function step()
  world:step()
  return log:take()
end

for _, broadphase in ipairs(broadphases) do
  describe("a step (" .. broadphase .. ")", function()
    before_each(function()
      world = collide.newWorld { broadphase = broadphase, strict = false }
      log = recorder.new()
    end)

    --   0    8 10   18
    -- 0 +----+-+----+
    --   | a  |.|  b |       a and b overlap by 2 on x
    -- 10+----+-+----+
    it("calls enter and hit of both on first contact, the one added earlier first", function()
      put("a", 0)
      put("b", 8)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("calls only hit in every further step", function()
      put("a", 0)
      put("b", 8)
      step()
      assert.equal("a:hit b, b:hit a", step())
      assert.equal("a:hit b, b:hit a", step())
    end)

    it("calls leave once, in the first step in which they no longer overlap", function()
      local a = put("a", 0)
      put("b", 8)
      step()
      a.x = far
      assert.equal("a:leave b, b:leave a", step())
      assert.equal("", step())
      a.x = 0
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("gives each actor its own way out, the depth, and the world", function()
      local a, b = put("a", 0), put("b", 8)
      world:step()
      local A, B = log.args[1], log.args[2]
      assert.equal(b, A[1])
      assert.equal(a, B[1])
      expect.near({ -1, 0, 2 }, { A[2], A[3], A[4] }, 0)
      expect.near({ 1, 0, 2 }, { B[2], B[3], B[4] }, 0)
      assert.equal(world, A[5])
      assert.same({ 5, 5, 5, 5 }, { A.n, B.n, log.args[3].n, log.args[4].n })
      expect.near({ -1, 0, 2 }, { log.args[3][2], log.args[3][3], log.args[3][4] }, 0)
      expect.near({ 1, 0, 2 }, { log.args[4][2], log.args[4][3], log.args[4][4] }, 0)
    end)

    it("finds hit in the class of an actor, however many classes further up", function()
      for depth = 0, 20 do
        local calls = {}
        local class = { hit = function(self, other)
          calls[#calls + 1] = self.name .. " " .. other.name
        end }
        for _ = 1, depth do class = setmetatable({}, { __index = class }) end
        world:clear()
        for i = 1, 2 do
          local actor = { name = i, x = 4 * i, y = 0, shape = box }
          world:add(setmetatable(actor, { __index = class }))
        end
        for _ = 1, 2 do world:step() end
        assert.same({ "1 2", "2 1", "1 2", "2 1" }, calls, depth .. " classes further up")
      end
    end)

    it("gives leave the other one and the world", function()
      local a, b = put("a", 0), put("b", 8)
      step()
      a.x = far
      world:step()
      assert.same({ 2, 2 }, { log.args[1].n, log.args[2].n })
      assert.equal(b, log.args[1][1])
      assert.equal(world, log.args[1][2])
      assert.equal(a, log.args[2][1])
    end)

    it("calls methods with the actor as self", function()
      local seen = {}
      local a = { x = 0, y = 0, shape = box, hit = function(self) seen[#seen + 1] = self end }
      local b = { x = 1, y = 0, shape = box, hit = function(self) seen[#seen + 1] = self end }
      world:add(a)
      world:add(b)
      world:step()
      assert.equal(a, seen[1])
      assert.equal(b, seen[2])
    end)

    it("calls pairs in ascending order, by first, then by second", function()
      put("d", 40)
      put("a", 2)
      put("c", 0)
      put("b", 36)
      put("e", 5)
      local seen = {}
      for call in step():gmatch("(%l:enter %l)") do seen[#seen + 1] = call end
      assert.equal("d:enter b b:enter d a:enter c c:enter a a:enter e e:enter a "
        .. "c:enter e e:enter c", table.concat(seen, " "))
    end)

    it("calls all leaves, also ascending, before any enter or hit", function()
      local a, b = put("a", 0), put("b", 5)
      put("c", 9)
      put("d", 100)
      step()
      a.x, b.x = 100, 200
      assert.equal("a:leave b, b:leave a, a:leave c, c:leave a, b:leave c, c:leave b, "
        .. "a:enter d, d:enter a, a:hit d, d:hit a", step())
    end)

    it("treats an actor added again as new: it is called second, with a new enter", function()
      local a = put("a", 0)
      put("b", 8)
      step()
      world:remove(a)
      world:add(a)
      assert.equal("a:leave b, b:leave a, b:enter a, a:enter b, b:hit a, a:hit b", step())
    end)

    it("uses positions as read at its start, whatever callbacks assign", function()
      local depths = {}
      local function away(self, _, _, _, depth)
        depths[#depths + 1] = depth
        self.x = self.x + far
      end
      put("a", 0, { enter = away })
      put("b", 8, { enter = away })
      put("c", 15)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a, b:enter c, c:enter b, b:hit c, c:hit b",
        step())
      assert.same({ 2, 2, 3 }, depths)
      assert.equal("b:leave c, c:leave b", step():match("b:leave c, c:leave b"))
    end)

    it("lets the vector separate the two, by moving either", function()
      for first = 1, 2 do
        local w = collide.newWorld { broadphase = broadphase }
        local a = { x = 3, y = 1, shape = box }
        local b = { x = 0, y = 5, shape = collide.circle(5) }
        w:add(first == 1 and a or b)
        w:add(first == 1 and b or a)
        function a.hit(self, _, nx, ny, depth)
          self.x, self.y = self.x + nx * depth, self.y + ny * depth
        end
        w:step()
        local n = collide.overlap(a, b) and select(3, collide.overlap(a, b)) or 0
        assert.is_true(n < 1e-6)
      end
    end)

    describe("in which a callback removes", function()
      it("itself in enter: the other one's calls of the pair still come", function()
        put("a", 0, { enter = function(self, _, _, _, _, w) w:remove(self) end })
        put("b", 8)
        put("c", 4)
        assert.equal("a:enter b, b:enter a, b:hit a, "
          .. "b:enter c, c:enter b, b:hit c, c:hit b", step())
        assert.equal("a:leave b, b:leave a, b:hit c, c:hit b", step())
      end)

      it("the other one in enter: it gets no enter, and no leave", function()
        put("a", 0, { enter = function(_, other, _, _, _, w) w:remove(other) end })
        put("b", 8)
        assert.equal("a:enter b, a:hit b", step())
        assert.equal("a:leave b", step())
        assert.equal("", step())
      end)

      it("itself in hit: the other one's hit still comes", function()
        put("a", 0, { hit = function(self, _, _, _, _, w) w:remove(self) end })
        put("b", 8)
        assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
        assert.equal("a:leave b, b:leave a", step())
      end)

      it("the other one in hit: its hit does not come", function()
        put("a", 0, { hit = function(_, other, _, _, _, w) w:remove(other) end })
        put("b", 8)
        assert.equal("a:enter b, b:enter a, a:hit b", step())
        assert.equal("a:leave b, b:leave a", step())
      end)

      it("a third: later pairs with it are dropped for both", function()
        local c
        put("a", 0, { hit = function(_, _, _, _, _, w) w:remove(c) end })
        put("b", 8)
        c = put("c", 4)
        assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
        assert.equal("a:hit b, b:hit a", step())
      end)

      it("a third that they have entered: the next step calls the leaves", function()
        local c, now
        put("a", 0, { hit = function(_, _, _, _, _, w) if now then w:remove(c) end end })
        put("b", 8)
        c = put("c", 4)
        step()
        now = true
        assert.equal("a:hit b, b:hit a", step())
        assert.equal("a:leave c, c:leave a, b:leave c, c:leave b, a:hit b, b:hit a", step())
        assert.equal("a:hit b, b:hit a", step())
      end)

      it("all actors by clear: only the leaves are still called", function()
        put("a", 0, { enter = function(_, _, _, _, _, w) w:clear() end })
        put("b", 8)
        put("c", 4)
        assert.equal("a:enter b", step())
        assert.equal(0, world:count())
        assert.equal("a:leave b", step())
        assert.equal("", step())
      end)

      it("and adds itself again: it is new from the next step on", function()
        local once = true
        put("a", 0, { enter = function(self, _, _, _, _, w)
          if once then
            once = false
            w:remove(self)
            w:add(self)
          end
        end })
        put("b", 8)
        assert.equal("a:enter b, b:enter a, b:hit a", step())
        assert.equal("a:leave b, b:leave a, b:enter a, a:enter b, b:hit a, a:hit b", step())
      end)
    end)

    it("calls leave of both when one was removed between two steps", function()
      local a = put("a", 0)
      put("b", 8)
      step()
      world:remove(a)
      assert.equal("a:leave b, b:leave a", step())
      assert.equal("", step())
    end)

    it("calls leave of one that got enter and was removed by the other one's enter", function()
      local a
      a = put("a", 0)
      put("b", 8, { enter = function(_, _, _, _, _, w) w:remove(a) end })
      assert.equal("a:enter b, b:enter a, b:hit a", step())
      assert.equal("a:leave b, b:leave a", step())
      assert.equal("", step())
    end)

    it("calls leave of both when both were removed between two steps", function()
      put("a", 0)
      put("b", 8)
      step()
      world:clear()
      assert.equal("a:leave b, b:leave a", step())
      assert.equal("", step())
    end)

    it("calls the pending leave of an actor that is in another world by now", function()
      local a = put("a", 0)
      put("b", 8)
      step()
      world:remove(a)
      local other = collide.newWorld()
      other:add(a)
      assert.equal("a:leave b, b:leave a", step())
      other:step()
      assert.equal("", log:take())
    end)

    it("lets an actor added in a callback take part from the next step", function()
      local c = log:actor("c", { x = 4, y = 0, shape = box })
      put("a", 0, { hit = function(_, _, _, _, _, w) if not w:has(c) then w:add(c) end end })
      put("b", 8)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:hit b, b:hit a, a:enter c, c:enter a, a:hit c, c:hit a, "
        .. "b:enter c, c:enter b, b:hit c, c:hit b", step())
    end)

    it("sees a teleport made in a callback in the next step", function()
      put("a", 0, { hit = function(self) self.x = 98 end })
      put("b", 8)
      put("c", 100)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:leave b, b:leave a, a:enter c, c:enter a, a:hit c, c:hit a", step())
    end)

    it("sees another shape once it is refreshed, in a callback too", function()
      local a = put("a", 0)
      put("b", 8, { hit = function(_, other, _, _, _, w)
        other.shape = collide.rectangle(2, 2)
        w:refresh(other)
      end })
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:leave b, b:leave a", step())
      a.shape = box
      assert.equal("", step())
      world:refresh(a)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("calls leave when the group of one changes to one that the other does not hit", function()
      world = collide.newWorld { broadphase = broadphase, rules = { { "one", "one" } } }
      local a = put("a", 0, nil, { group = "one" })
      put("b", 8, { hit = function(_, other, _, _, _, w)
        other.group = "two"
        w:refresh(other)
      end }, { group = "one" })
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
      assert.equal("a:leave b, b:leave a", step())
      a.group = "one"
      world:refresh(a)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("calls leave when a rule says that they may not hit", function()
      put("a", 0)
      put("b", 8)
      step()
      world:setRule("default", "default", false)
      assert.equal("a:leave b, b:leave a", step())
      world:setRule("default", "default", true)
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a", step())
    end)

    it("calls leave when both have become static", function()
      local a, b = put("a", 0), put("b", 8)
      step()
      a.static = true
      world:refresh(a)
      assert.equal("a:hit b, b:hit a", step())
      b.static = true
      world:refresh(b)
      assert.equal("a:leave b, b:leave a", step())
    end)

    it("never tests two statics, and does not read their places", function()
      local a = put("a", 0, nil, { static = true })
      put("b", 8, nil, { static = true })
      assert.equal("", step())
      a.x = 0 / 0
      put("c", 4)
      assert.equal("a:enter c, c:enter a, a:hit c, c:hit a, b:enter c, c:enter b, b:hit c, c:hit b",
        step())
      a.x = far
      assert.equal("a:hit c, c:hit a, b:hit c, c:hit b", step())
      world:refresh(a)
      assert.equal("a:leave c, c:leave a, b:hit c, c:hit b", step())
    end)

    it("calls leave of an actor that has no enter", function()
      local a = put("a", 0, nil, nil, { enter = true })
      put("b", 8)
      assert.equal("b:enter a, a:hit b, b:hit a", step())
      a.x = far
      assert.equal("a:leave b, b:leave a", step())
    end)

    it("calls actors that have only leave", function()
      local a = put("a", 0, nil, nil, { enter = true, hit = true })
      put("b", 8, nil, nil, { enter = true, hit = true, leave = true })
      assert.equal("", step())
      a.x = far
      assert.equal("a:leave b", step())
      assert.equal("", step())
    end)

    it("ignores a shared boundary, but hits with touching", function()
      put("a", 0)
      put("b", 10)
      put("c", 20, nil, { y = 10 })
      assert.equal("", step())
      world = collide.newWorld { broadphase = broadphase, touching = true }
      put("a", 0)
      put("b", 10)
      put("c", 20, nil, { y = 10 })
      assert.equal("a:enter b, b:enter a, a:hit b, b:hit a, b:enter c, c:enter b, b:hit c, c:hit b",
        step())
    end)

    it("keeps two worlds apart, one stepped inside the other's callback", function()
      local other = collide.newWorld { broadphase = broadphase }
      for _, name in ipairs { "x", "y" } do
        other:add(log:actor(name, { x = 0, y = 0, shape = box }))
      end
      put("a", 0, { enter = function() other:step() end })
      put("b", 8)
      assert.equal("a:enter b, x:enter y, y:enter x, x:hit y, y:hit x, b:enter a, a:hit b, b:hit a",
        step())
    end)
  end)
end
