function love.conf(t)
  t.version = "11.0"
  t.identity = "collide-game" -- the folder for what it saves
  t.window.title = "A game with collide"
  t.window.width, t.window.height = 800, 480
  t.window.resizable = true
end

-- In the checkout, collide is two folders up. Delete this if collide's folder is in your game's.
local root = love.filesystem.getSource() .. "/../../"
package.path = ("%s;%slua/?.lua;%slua/?/init.lua"):format(package.path, root, root)
package.cpath = ("%s;%sbuild/luajit/?.so;%sbuild/luajit/?.dll"):format(package.cpath, root, root)
