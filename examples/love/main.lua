-- An app that runs every scene of examples/scenes, in a window or without one:
--
--   love examples/love                     a menu of all scenes
--   love examples/love swarm [options]     one of them, or a scene file; options as `collide run`
--     --paused --cells --hits              what the keys switch, from the start
--     --at K                               plays K frames at once; with --paused it stays there
--     --record FILE                        write the keys that were held when it is left
--     --screenshot FILE [--at K]           play K frames, save the picture as PNG, leave
--   love examples/love --headless swarm [options]
--                                          no window: the report of `collide run`

local places = require "app.places"

places.findModules()

local function complain(message, code)
  io.stderr:write("collide: ", message, "\n")
  love.event.quit(code)
end

local function runHeadless(options)
  local core = require "collide.core"
  local run = require "collide.scene.run"
  love.event.quit(run.run(options, {
    stdout = io.stdout, stderr = io.stderr, terminal = core.isatty("stderr"),
  }))
end

local FLAGS = { "headless", "paused", "cells", "hits" }

function love.load(args)
  local found, why = pcall(require, "collide.binding")
  if not found then
    why = why:find("not found", 1, true) and "there is no core for LÖVE yet" or why
    return complain(("%s; in %s, run: make LUA=luajit"):format(why, places.root), 1)
  end

  local input = require "collide.scene.input"
  local known = {
    record = { read = tostring, what = "file" }, screenshot = { read = tostring, what = "file" },
  }
  for name, option in pairs(input.OPTIONS) do known[name] = option end
  for _, flag in ipairs(FLAGS) do known[flag] = {} end
  local options, message = input.options(args, known)
  if not options then return complain(message, 2) end
  if options[1] then options[1] = places.scene(options[1]) end

  if options.headless then return runHeadless(options) end
  if options.input then
    options.lines, options.settings = input.read(options.input)
    if not options.lines then return complain(options.settings, 1) end
  end
  require("app.window").open(options)
end
