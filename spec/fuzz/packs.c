// collide, MIT licence (see LICENSE)
//
// Packed snapshots from which a world is restored: an input is the part after the header. The
// header is correct, so that the checksum does not reveal the damage. spec/fuzz/packs.lua has the
// world.

#include "lua_host.h"

#include "base/bytes.h"

enum { MAGIC = 8, HEADER = MAGIC + 4 + 8, MOST = 1 << 16 };

static uint8_t text[HEADER + MOST];

// As in csrc/lua/pack.c.
static void put_header(size_t count) {
  uint64_t sum = CL_HASH_BEGIN;
  for (size_t i = 0; i < count; i++) sum = cl_hash_word(sum, text[HEADER + i]);
  sum = cl_hash_end(sum);
  memcpy(text, "collide\x1a\1\0\0", MAGIC + 4);
  for (int i = 0; i < 8; i++) text[MAGIC + 4 + i] = (uint8_t)(sum >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *at, size_t count) {
  static lua_State *L;
  if (!L) L = lua_host("spec/fuzz/packs.lua");
  if (count > MOST) return 0;
  if (count > 0) memcpy(text + HEADER, at, count);
  put_header(count);
  lua_host_call(L, text, HEADER + count);
  return fuzz_end();
}
