// collide, MIT licence (see LICENSE)
//
// Applies the same operations to two worlds with pools of bullets, one with any broad phase, the
// other with brute force: movement, queries, bullets, snapshots and their bytes. Both must give the
// same answers to the bit; queries are compared with a loop over all actors; and a mover must not
// end inside actors that stop it.

#include "fuzz.h"

#include "pair_ask.h"
#include "pair_snapshot.h"

enum { STEPS = 60 };

static void anything(game_pair *g) {
  switch (test_int(0, 18)) {
  case 0:
  case 1: pair_add(g); break;
  case 2: pair_remove(g); break;
  case 3: pair_refresh(g); break;
  case 4: pair_put(g); break;
  case 5: pair_rule(g); break;
  case 6:
  case 7: pair_move(g); break;
  case 8: pair_ask(g); break;
  case 9: pair_cast(g); break;
  case 10: pair_nearest(g); break;
  case 11: pair_spawn(g); break;
  case 12: pair_laser(g); break;
  case 13: pair_change_bullet(g); break;
  case 14: pair_snapshot(g); break;
  case 15: pair_ask_around(g); break;
  case 16: pair_ignore(g); break;
  case 17: pair_turn(g); break;
  default: pair_step(g); break;
  }
}

static void games(void) {
  static game_pair g;
  pair_open(&g);
  for (int i = 0; i < STEPS * 8 && test_errors == 0 && !input_is_over(); i++) {
    anything(&g);
    pair_compare(&g);
  }
  if (test_errors == 0) pair_step(&g);
  pair_close(&g);
}

FUZZ(games)
