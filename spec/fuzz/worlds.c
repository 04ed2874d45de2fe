// collide, MIT licence (see LICENSE)
//
// A world with any broad phase, played by the input and compared with the model after every call:
// actors that come, go, move and change at any time, dispatches that are cut short, snapshots that
// are taken and restored, and requests for memory that fail.

#include "fuzz.h"

#include "../c/world_rewind.h"

enum { STEPS = 40 };

static void worlds(void) {
  static rewinder r;
  static host h;
  memset(&r, 0, sizeof r);
  memset(&h, 0, sizeof h);
  r.play.alloc = cl_alloc_default();
  REQUIRE(play_open(&r.play));
  rewind_open(&r, &h);
  for (int step = 0; step < STEPS && test_errors == 0 && !input_is_over(); step++) {
    r.play.quiet = step < 5;
    rewind_step(&r, &h);
  }
  rewind_close(&r, &h);
  play_close(&r.play);
}

FUZZ(worlds)
