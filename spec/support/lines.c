// collide, MIT licence (see LICENSE)
//
// A Lua module that records which lines of lua/collide are executed, for `make coverage`. It is
// written in C because a hook in Lua makes garbage, and some specs count garbage. LUA_INIT loads it
// into every Lua that starts, also those of the command line. When a Lua ends, it writes lines of
// the form "lua/collide/world/step.lua 12" to a file of its own in the folder $COLLIDE_LINES.

#include <unistd.h>

#include "lua/binding.h"

enum { MAX_FILES = 256, MAX_LINES = 2048, MAX_NAME = 100 };

typedef struct source {
  char name[MAX_NAME]; // from lua/collide/ on
  bool reached[MAX_LINES];
} source;

static struct {
  source sources[MAX_FILES];
  int count;
  source *last; // a cache: successive lines are mostly of the same file
} noted;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
int luaopen_lines(lua_State *L);
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

static source *source_of(const char *name) {
  if (noted.last && strcmp(noted.last->name, name) == 0) return noted.last;
  for (int i = 0; i < noted.count; i++)
    if (strcmp(noted.sources[i].name, name) == 0) return noted.last = &noted.sources[i];
  if (noted.count == MAX_FILES || strlen(name) >= MAX_NAME) return NULL;
  noted.last = &noted.sources[noted.count++];
  strcpy(noted.last->name, name);
  return noted.last;
}

static void note(lua_State *L, lua_Debug *at) {
  lua_getinfo(L, "S", at);
  const char *name = at->source[0] == '@' ? strstr(at->source, "lua/collide/") : NULL;
  if (!name || at->currentline < 0 || at->currentline >= MAX_LINES) return;
  source *s = source_of(name);
  if (s) s->reached[at->currentline] = true;
}

static void write_all(void) {
  const char *folder = getenv("COLLIDE_LINES");
  char path[4096];
  if (!folder) return;
  snprintf(path, sizeof path, "%s/%ld", folder, (long)getpid());
  FILE *out = fopen(path, "a");
  if (!out) return;
  for (int i = 0; i < noted.count; i++)
    for (int line = 0; line < MAX_LINES; line++)
      if (noted.sources[i].reached[line]) fprintf(out, "%s %d\n", noted.sources[i].name, line);
  fclose(out);
}

int luaopen_lines(lua_State *L) {
  if (!lua_gethook(L)) atexit(write_all);
  lua_sethook(L, note, LUA_MASKLINE, 0);
  return 0;
}
