-- Writes pages for browsers that test themselves, for .ci/web-test: a script at the end uses the
-- page as people do, and prints its results on the console. It expects the hashes of the scenes'
-- traces, and the documented output of the examples.
--   lua .ci/web-test.lua PAGE FOLDER

local browser = require "spec.support.browser"
local files = require "collide.scene.files"
local json = require "collide.scene.json"
local readme = require "spec.support.readme"

local page, folder = assert(files.read(arg[1])), arg[2]

-- The last frame of each scene's trace, and its hash.
local function scenes()
  local list = {}
  for _, path in ipairs(files.list("examples/scenes", "trace")) do
    local frame, hash
    for line in io.lines(path) do
      local at, digits = line:match("^frame (%d+) .*hash (%d+)$")
      if at then frame, hash = tonumber(at), digits end
    end
    local name = path:match("([^/]+)%.trace$")
    if files.exists(("examples/scenes/%s.lua"):format(name)) then
      list[#list + 1] = { name = name, frame = frame, hash = hash }
    end
  end
  return list
end

-- The expected output of the runnable examples, in the page's order.
local function outputs()
  local list = {}
  for _, path in ipairs { "README.md", "examples/reference.md", "examples/README.md" } do
    for _, example in ipairs(readme.examples(path)) do
      list[#list + 1] = table.concat(readme.expected(example), "\n")
    end
  end
  return list
end

local function write(name, script)
  local after = ("<script>\nconst EXPECTED = %s;\n%s%s\n</script>\n"):format(
    json.encode { scenes = scenes(), outputs = outputs() }, browser.FINDINGS, script)
  local text = page:gsub("<style>", function() return browser.ERRORS .. "<style>" end, 1)
  -- Only the last one: the page has others in its texts.
  text = text:gsub("</body>\n</html>\n$", function() return after .. "</body>\n</html>\n" end)
  assert(files.write(("%s/%s.html"):format(folder, name), text))
end

-- A window cannot be as narrow as a phone, so the page is in a frame.
local FRAME = [[
<!doctype html>
<meta name="color-scheme" content="light dark">
<iframe src="phone.html" style="width: 360px; height: 740px; border: 0"></iframe>
]]
assert(files.write(folder .. "/frame.html", FRAME))

for _, name in ipairs { "wide", "phone" } do
  write(name, assert(files.read ".ci/web-test.js") .. name .. "();")
end
