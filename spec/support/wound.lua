-- A scene with state of every kind, for moment_spec: fields, nested tables, actors that are added
-- and removed, some in no world for a while, random numbers and keys. `leak` names the part that
-- depends on a counter outside the state.
local collide = require "collide"

return {
  frames = 60, width = 200, height = 200, input = "5-9 right\n20-30 right\n25 space",
  params = { leak = "" },
  setup = function(scene)
    local state = scene.state
    state.score, state.log, state.seen, state.benched = 0, {}, {}, {}
    state.self = state
    for i = 1, 8 do
      state[i] = scene.world:add { name = "ball " .. i, x = scene:uniform(0, 200),
        y = scene:uniform(0, 200), vx = scene:uniform(-90, 90), met = {},
        shape = collide.circle(12),
        update = function(self, dt)
          self.x = self.x + self.vx * dt
          if self.x < 0 or self.x > 200 then self.vx = -self.vx end
        end,
        enter = function(self, other)
          self.met[other] = (self.met[other] or 0) + 1
          state.score = state.score + 1
          if state.score % 7 == 0 then self.last = { other = other, frame = scene.frame } end
        end }
    end
    scene.leaked = 0
  end,
  update = function(scene)
    local state = scene.state
    if scene:down "right" then state[1].x = state[1].x + 3 end
    if scene:pressed "space" then state[2].x = scene:uniform(0, 200) end
    if scene.frame % 10 == 0 then
      local actor = state[scene:random(3, 8)]
      if scene.world:has(actor) then
        scene.world:remove(actor)
        table.insert(state.benched, actor)
      else
        actor.y = actor.y + 1
        scene.world:add(actor)
      end
      table.insert(state.log, { frame = scene.frame, who = actor })
      state.seen[actor] = true
    end
    scene.leaked = scene.leaked + 1
    local leak = scene.params.leak
    if leak == "actor" then state[4].y = scene.leaked end
    if leak == "state" then state.log.count = scene.leaked end
    if leak == "rules" then scene.world:setRule("a", "b", scene.leaked < 6) end
    if leak == "random" and scene.leaked > scene.frame then scene:random() end
  end,
}
