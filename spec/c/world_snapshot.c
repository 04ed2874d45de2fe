// collide, MIT licence (see LICENSE)
//
// Snapshots of worlds in random play, compared with the model.

#include "world_rewind.h"

static void random_plays_are_wound_back(void) {
  rewinder *r = calloc(1, sizeof *r);
  host *h = calloc(1, sizeof *h);
  REQUIRE(r && h);
  r->play.alloc = cl_alloc_default();
  REQUIRE(play_open(&r->play));
  for (long i = 0, plays = test_rounds(120); i < plays && test_errors == 0; i++) {
    uint64_t seed = test_bits();
    test_state = seed;
    rewind_open(r, h);
    for (int step = 0; step < 60 && test_errors == 0; step++) {
      r->play.quiet = step < 5;
      rewind_step(r, h);
    }
    rewind_close(r, h);
    CHECK_MSG(test_errors == 0, "the play's seed is %llu", (unsigned long long)seed);
    test_state = seed + 1;
  }
  CHECK(r->taken > test_rounds(1000) && r->restored > test_rounds(500) &&
        r->inside > test_rounds(100));
  CHECK(r->refused > test_rounds(300) && r->moved_worlds > test_rounds(50));
  play_close(&r->play);
  free(r);
  free(h);
}

int main(void) {
  RUN(random_plays_are_wound_back);
  return test_end();
}
