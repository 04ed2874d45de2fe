// collide, MIT licence (see LICENSE)
//
// Lua states in threads of their own, which all play the same scenes. They share nothing, and end
// with the same hashes as a single one. `make tsan` runs this under the thread sanitizer; `collide`
// is found by LUA_PATH.

#include <pthread.h> // before config.h, which hides what is declared after it

#include "test.h"

#include "lua/binding.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default) // Lua's, as in binding.h
#endif
#include <lualib.h>
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

int luaopen_collide_core(lua_State *L);

enum { THREADS = 2, ROOM = 400 };

static const char script[] =
    "local scenes, out = require 'collide.scene', {}\n"
    "for _, name in ipairs { 'swarm', 'danmaku', 'polygons', 'movers' } do\n"
    "  local scene = scenes.load('examples/scenes/' .. name .. '.lua')\n"
    "  for _ = 1, 20 do scenes.step(scene) end\n"
    "  local text = scene.world:snapshot():pack()\n"
    "  scene.world:restore(scene.world:snapshot())\n"
    "  out[#out + 1] = name .. ' ' .. scene.world:hash() .. ' ' .. #text\n"
    "end\n"
    "return table.concat(out, '; ')";

// Plays in a new Lua state; the results go to `user`.
static void *play(void *user) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_collide_core);
  lua_setfield(L, -2, "collide.core");
  lua_settop(L, 0);
  if (luaL_dostring(L, script) != LUA_OK) printf("%s\n", lua_tostring(L, -1));
  else snprintf(user, ROOM, "%s", lua_tostring(L, -1));
  lua_close(L);
  return NULL;
}

static void luas_share_nothing(void) {
  char alone[ROOM] = "", beside[THREADS][ROOM] = {""};
  pthread_t thread[THREADS];
  for (int k = 0; k < THREADS; k++) {
    REQUIRE(pthread_create(&thread[k], NULL, play, beside[k]) == 0);
  }
  for (int k = 0; k < THREADS; k++) CHECK(pthread_join(thread[k], NULL) == 0);
  play(alone);
  for (int k = 0; k < THREADS; k++) {
    CHECK_MSG(alone[0] && strcmp(alone, beside[k]) == 0, "%s\nin a thread: %s", alone, beside[k]);
  }
}

int main(void) {
  RUN(luas_share_nothing);
  return test_end();
}
