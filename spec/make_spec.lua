-- The output of `make help`, the question before a package is installed, and when parallel tests
-- fail.

local function read(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local said = pipe:read("*a")
  pipe:close()
  return said
end

-- Targets that only other targets use.
local INTERNAL = { help = true, version = true, programs = true, fuzzers = true, binding = true,
  parsed = true }

describe("make help", function()
  local help = read "make -s help"
  local targets, inOrder = {}, {}
  for target in help:gmatch "\n  make (%S+) " do
    inOrder[#inOrder + 1] = target
    targets[target] = true
  end

  it("shows fifteen targets at most, run and test first", function()
    assert.equal("run", inOrder[1])
    assert.equal("test", inOrder[2])
    assert.is_true(#inOrder >= 8 and #inOrder <= 15, table.concat(inOrder, " "))
  end)

  it("fits in a wide terminal", function()
    for line in help:gmatch "[^\n]+" do
      assert.is_true(#line <= 120, line)
    end
  end)

  it("shows every target, or spec/README.md does", function()
    local file = assert(io.open "spec/README.md")
    local document = file:read "*a"
    file:close()
    local n = 0
    for _, path in ipairs { "Makefile", "spec/tests.mk" } do
      for line in io.lines(path) do
        local target = line:match "^([%l%d][%w.-]+):[^=]*$"
        if target and not INTERNAL[target] then
          n = n + 1
          local isDocumented = document:find("`make " .. target:gsub("%p", "%%%0") .. "[` ]")
          assert.truthy(targets[target] or isDocumented, target)
        end
      end
    end
    assert.is_true(n > 40)
  end)
end)

describe("make test-big-endian", function()
  it("runs the C tests unless only the scenes' hashes are wanted", function()
    local function plan(play)
      return read("make -s -n test-big-endian PLAY=" .. play .. " MACHINE_TESTS='echo c-tests'")
    end
    assert.matches("c-tests", plan "all", nil, true)
    assert.not_matches("c-tests", plan "hashes", nil, true)
  end)
end)

describe("a package that is missing", function()
  local folder = os.tmpname()
  os.remove(folder)

  -- Mocks of commands: the user's id, and a sudo that installs `surely-missing`.
  setup(function()
    assert(os.execute("mkdir -p " .. folder))
    local function command(name, text)
      local file = assert(io.open(folder .. "/" .. name, "w"))
      file:write("#!/bin/sh\n", text, "\n")
      file:close()
      assert(os.execute("chmod +x " .. folder .. "/" .. name))
    end
    command("id", "echo 1000")
    command("apt-get", "true")
    command("sudo", ([[
      echo "$*" >>%s/log
      case $* in
        *' install '*) printf '#!/bin/sh\n' >%s/surely-missing; chmod +x %s/surely-missing ;;
      esac]]):format(folder, folder, folder))
  end)
  teardown(function() os.execute("rm -r " .. folder) end)
  before_each(function() os.execute(("rm -f %s/log %s/surely-missing"):format(folder, folder)) end)

  local NEED = ("PATH=%s:$PATH .ci/need surely-missing"):format(folder)

  local function log()
    local file = io.open(folder .. "/log")
    if not file then return nil end
    local text = file:read "*a"
    file:close()
    return text
  end

  it("is only named if there is no terminal", function()
    local said = read("env -u CI -u INSTALL " .. NEED .. " </dev/null 2>&1")
    assert.matches("packages are missing: surely-missing", said, 1, true)
    assert.matches("nothing was installed, as there is no terminal to ask at, nor CI or INSTALL=1",
      said, 1, true)
    assert.is_nil(log())
  end)

  it("is named before sudo installs it, without a terminal but with INSTALL=1", function()
    local said = read("env INSTALL=1 " .. NEED .. " </dev/null")
    assert.equal("collide: installing with sudo apt-get: surely-missing \n", said)
    assert.matches("apt%-get .* install %-%-no%-install%-recommends surely%-missing\n$", log())
  end)

  -- Runs four times at a terminal, with these answers typed, one after the other, since a terminal
  -- takes a while to close.
  it("is asked for at a terminal, and installed only after a yes", function()
    local command = "printf '%%s\\n' n '' maybe yes | env -u CI -u INSTALL "
      .. "script -qec '%s; %s; %s; ls %s; %s' /dev/null"
    local said = read(command:format(NEED, NEED, NEED, folder, NEED))
    local _, asked = said:gsub("packages are missing: surely%-missing [^\n]*\n"
      .. "Install them with sudo apt%-get%? %[y/N%]", "")
    local _, declined = said:gsub("nothing was installed; please install %(Debian's names%): "
      .. "surely%-missing", "")
    assert.same({ 4, 3 }, { asked, declined })
    assert.not_matches("%f[%w]log%f[%W].*apt%-get", said) -- in what `ls` shows
    assert.matches("collide: installing with sudo apt-get: surely-missing", said, 1, true)
    assert.matches(" install ", log(), 1, true)
  end)
end)

describe("parallel jobs", function()
  local function run(command)
    return read(([[printf 'job\t%%s\n' '%s' | .ci/parallel; echo "exit $?"]]):format(command))
  end

  it("pass if the closing line counts no failures", function()
    assert.matches("exit 0\n$", run 'echo "2 passed, 0 failed"')
    assert.matches("exit 0\n$", run 'echo "1 success / 0 failures / 0 errors / 0 pending"')
  end)

  it("fail if the closing line counts a failure, even if a pipe hides the exit code", function()
    assert.matches("exit 1\n$", run 'echo "2 passed, 4 failed"')
    assert.matches("exit 1\n$", run 'echo "1 success / 2 failures / 0 errors / 0 pending"')
    assert.matches("exit 1\n$", run 'echo "1 success / 0 failures / 1 error / 0 pending"')
  end)

  it("show the output of a failed job, whatever bytes it has", function()
    local shown = run [[printf "a pack: \\001\\000\\377\\n1 passed, 1 failed\\n"]]
    assert.matches("job %(exit 0%): 1 passed, 1 failed", shown)
    assert.matches("a pack: ", shown)
  end)

  it("fail with a nonzero exit code, or without a closing line", function()
    assert.matches("exit 1\n$", run 'echo "2 passed, 0 failed"; false')
    assert.matches("exit 1\n$", run "true")
  end)
end)

describe("the house rules", function()
  -- Their complaints about a Lua file.
  local function complaints(text)
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    local path = folder .. "/example.lua"
    local file = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local said = read((os.getenv "LUA" or "lua5.4") .. " spec/tools/rules.lua loops " .. folder)
    os.remove(path)
    os.remove(folder)
    return (said:gsub("%S*/", ""))
  end

  it("find each assignment to a variable of a loop, which Lua 5.5 refuses", function()
    assert.equal("example.lua:2: assigns line, the variable of a loop\n"
      .. "example.lua:7: assigns i, the variable of a loop\n", complaints [[
for line in io.lines() do
  local function f() line = 1 end
  local line = f()
  line = 2
  print(line)
end
for i = 1, 2 do local g = i; g, i = i, g end
]])
  end)

  it("find names that are keywords of Lua 5.5", function()
    assert.equal("example.lua: 1: name expected, got global\n", complaints "local global = 1\n")
  end)
end)

describe("a release", function()
  local lua, build = os.getenv "LUA", (os.getenv "COLLIDE" or ""):match "^(.*)/collide$"

  -- The output of .ci/version in a copy of the files that it reads, after a shell command there.
  local function said(plant, arguments)
    return (read(([[{
      build=$(cd '%s' && pwd) temp=$(mktemp -d)
      cp -r .ci lua rockspec CHANGELOG.md "$temp" && mkdir "$temp/csrc"
      cp csrc/collide.h "$temp/csrc" && cd "$temp" && { %s
      } && .ci/version "$build" '%s' %s
      rm -rf "$temp"
    }]]):format(build, plant, lua, arguments or "")):gsub("\n$", ""))
  end

  local HEADER = [[sed -i 's/VERSION ".*"/VERSION "%s"/' csrc/collide.h]]
  local CHANGES = "sed -i '0,/^## .*/s//## %s, %s/' CHANGELOG.md"
  local BUILT = [[sed -i 's/_VERSION = .*/_VERSION = "collide %s",/' lua/collide/init.lua]]
  local ROCKSPEC = [[printf 'version = "1.2.3-1"\ntag = "v%s"\n' >collide-1.2.3-1.rockspec]]
  local TAG = [[git init -q . && git config user.name a && git config user.email a@localhost
    git add -A && git commit -qm a && git tag v1.2.3 && git commit -q --allow-empty -m b]]
  local function all(...) return table.concat({ ... }, " && ") end
  -- Make it a copy of the release 1.2.3, or of the state before it.
  local RELEASE =
    all(HEADER:format "1.2.3", CHANGES:format("1.2.3", "2026-01-02"), BUILT:format "1.2.3")
  local BEFORE =
    all(HEADER:format "scm", CHANGES:format("1.2.3", "not released yet"), BUILT:format "scm")

  it("has one version", function()
    if not build then return pending "the specs do not run by make" end
    assert.equal(require("collide")._VERSION, "collide " .. said "true")
    assert.equal("scm", said(BEFORE))
    assert.equal("scm", said(BEFORE, "scm build/dist/collide-luajit-linux-x64.zip"))
    assert.equal("1.2.3", said(all(RELEASE, ROCKSPEC:format "1.2.3"),
      "1.2.3 collide-luajit-linux-x64-1.2.3.zip collide-1.2.3-1.src.rock"
      .. " collide-web-1.2.3.html collide-1.2.3-1.rockspec"))
  end)

  for _, case in ipairs {
    { "the header", HEADER:format "next", "",
      "'next', but one is '1.2.3', or 'scm' between releases" },
    { "VERSION", RELEASE, "1.2.4", "'1.2.3', but VERSION is '1.2.4'" },
    { "the list of changes", all(RELEASE, CHANGES:format("1.2.2", "2026-01-02")), "",
      "'1.2.3', but CHANGELOG.md begins with '1.2.2, 2026-01-02'" },
    { "its date", all(BEFORE, CHANGES:format("1.2.3", "2026-01-02")), "",
      "'scm', but CHANGELOG.md begins with '1.2.3, 2026-01-02'" },
    { "the rock", all(BEFORE, [[sed -i 's/scm-1"/scm-2"/' rockspec/*.rockspec]]), "",
      "'scm', but rockspec/collide-scm-1.rockspec has 'scm-2', not 'scm-1'" },
    { "_VERSION", all(BEFORE, BUILT:format "1.2"), "",
      ("'scm', but _VERSION of what was built for %s is 'collide 1.2'"):format(lua) },
    { "a zip", RELEASE, "1.2.3 dist/collide-luajit-linux-x64-1.2.2.zip",
      "'1.2.3', but a packed file is named collide-luajit-linux-x64-1.2.2.zip" },
    { "its rockspec", all(RELEASE, ROCKSPEC:format "1.2.2"), "1.2.3 collide-1.2.3-1.rockspec",
      "'1.2.3', but collide-1.2.3-1.rockspec is for another version" },
    { "the tag", all(RELEASE, TAG), "", "'1.2.3', but the tag v1.2.3 is another commit" },
  } do
    it("is refused if this disagrees: " .. case[1], function()
      if not build then return pending "the specs do not run by make" end
      assert.equal("collide: csrc/collide.h has the version " .. case[4], said(case[2], case[3]))
    end)
  end

  it("has libraries that need at most glibc 2.17", function()
    if not read "uname -s; command -v readelf; command -v cc":match "^Linux\n/.*\n/" then
      return pending "no glibc or no compiler here"
    end
    -- What a library needs that calls f and one function that every glibc has.
    local function needs(f)
      return read(([[{ temp=$(mktemp)
        echo 'int getpid(), %s(); int g(void) { return getpid() + %s(0, 0); }' |
        cc -w -shared -fPIC -fno-builtin -x c -o $temp - && .ci/binary glibc $temp; rm $temp; } |
        sed 's/.* needs/needs/']]):format(f, f))
    end
    assert.equal("", needs "strcmp")
    assert.equal("needs nobody_has_this\n", needs "nobody_has_this")
    assert.matches("^needs getentropy@GLIBC_2.25[^\n]*\nneeds the version GLIBC_2.25\n$",
      needs "getentropy")
  end)
end)
