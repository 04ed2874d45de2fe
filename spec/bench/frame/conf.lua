-- In LÖVE the benchmark is an app without a window, of which only physics is of use.

function love.conf(t)
  t.version = "11.0"
  for module in pairs(t.modules) do t.modules[module] = false end
  t.modules.physics = true
end
