-- Settings of the app. With --headless it has no window, and no modules that need one.

local headless = false
for _, argument in ipairs(arg) do
  if argument == "--headless" then headless = true end
end

function love.conf(t)
  t.version = "11.0"
  t.window.title = "collide"
  t.window.width, t.window.height = 960, 640
  t.window.minwidth, t.window.minheight = 640, 420
  t.window.resizable = true
  t.window.highdpi = true
  t.window.msaa = 4
  for _, module in ipairs { "audio", "joystick", "physics", "sound", "thread", "touch", "video" } do
    t.modules[module] = false
  end
  if headless then
    for _, module in ipairs { "font", "graphics", "image", "keyboard", "mouse", "window" } do
      t.modules[module] = false
    end
  end
end
