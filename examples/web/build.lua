-- Builds the page for browsers from examples/web, the WebAssembly module, the Lua files and the
-- examples: BUILD/web/index.html, one self-contained file.
--   lua examples/web/build.lua BUILD

local files = require "collide.files"
local texts = require "collide.scene.text"
local readme = require "spec.support.readme"
local page = require "collide.scene.page"

local build = arg[1]

local function read(path) return assert(files.read(path)) end

local LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- Base64: three bytes, or the last one or two, as four letters.
local function letters(bytes)
  local a, b, c = bytes:byte(1, 3)
  local number = (a * 256 + (b or 0)) * 256 + (c or 0)
  local out = ""
  for shift = 18, 0, -6 do
    local digit = math.floor(number / 2 ^ shift) % 64
    out = out .. LETTERS:sub(digit + 1, digit + 1)
  end
  return out:sub(1, #bytes + 1) .. ("="):rep(3 - #bytes)
end

-- A file's bytes as letters, compressed.
local function packed(path)
  local output = assert(io.popen(("gzip -9nc '%s'"):format(path)))
  local bytes = output:read "*a"
  assert(output:close())
  return (bytes:gsub("..?.?", letters))
end

-- The examples, in the order in which they are listed.
local function examples()
  local list = {}
  for _, path in ipairs(files.list("examples/scenes", "lua")) do
    local name = path:match("([^/]+)%.lua$")
    list[#list + 1] = { group = "Scenes", name = name, title = name, code = read(path) }
  end
  for _, path in ipairs(readme.DOCUMENTS) do
    local times = {}
    for _, example in ipairs(readme.examples(path)) do
      local title = example.heading:gsub("`", "")
      times[title] = (times[title] or 0) + 1
      if times[title] > 1 then title = ("%s (%d)"):format(title, times[title]) end
      list[#list + 1] = {
        group = path, name = path .. ": " .. title, title = title,
        code = table.concat(example.lines, "\n") .. "\n",
      }
    end
  end
  return list
end

-- Writes a file of all files that the page's Lua finds: the path of each, its size, and its bytes.
-- Those of collide itself are compiled here, so that the first picture comes sooner.
local function writeSources(to)
  local parts = {}
  local find = assert(io.popen "find lua examples -name '*.lua' ! -name build.lua")
  for path in find:lines() do
    local text = read(path)
    if path:find "^lua/" then text = string.dump(assert(load(text, "@/" .. path))) end
    parts[#parts + 1] = ("/%s %d\n%s"):format(path, #text, text)
  end
  find:close()
  assert(files.write(to, table.concat(parts)))
end

local function script(name) return read(("examples/web/%s.js"):format(name)) end

local SCRIPTS = { "share", "editor", "canvas", "player", "stage", "page" }

local sources = build .. "/web/sources"
writeSources(sources)

local parts = {
  licence = read "LICENSE",
  home = read("rockspec/collide-scm-1.rockspec"):match 'home = "(.-)"',
  colors = page.COLORS,
  style = read "examples/web/style.css",
  worker = read(build .. "/wasm/engine.js") .. script "share" .. script "worker",
  engine = packed(build .. "/wasm/engine.wasm"), sources = packed(sources),
  data = texts.json { examples = examples() },
  script = "const $ = id => document.getElementById(id);\n",
}
for _, name in ipairs(SCRIPTS) do parts.script = parts.script .. script(name) end

for name, text in pairs(parts) do
  assert(not text:find "</script" and not text:find "<!%-%-", name .. " would end its element")
end
local html = read("examples/web/page.html"):gsub("{{(%w+)}}", parts)
assert(files.write(build .. "/web/index.html", html))
print(("%s/web/index.html: %d KB"):format(build, math.floor(#html / 1000)))
