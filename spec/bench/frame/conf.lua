-- In LÖVE the benchmark is an app without a window that uses only love.physics.

function love.conf(t)
  t.version = "11.0"
  for module in pairs(t.modules) do t.modules[module] = false end
  t.modules.physics = true
end
