// collide, MIT licence (see LICENSE)
//
// Lists of contacts: which begin and which end from one step to the next. Layer: world.

#include "world/contact_list.h"

#include <string.h>

#include "world/pair_key.h"

// Merges the contacts of the previous step, all of them dispatched, with those of the last step,
// without a branch: whether the next pair stays, begins or ends is not predictable. The ended
// contacts overwrite the list that they come from.
static void compare(cl_links *open, cl_links *now) {
  // Local copies, because to the compiler the writes may change anything.
  cl_pair *pairs = open->pair;
  const cl_pair *found = now->pair;
  uint8_t *notified = now->bits;
  size_t i = 0, j = 0, ended = 0, count = open->count, all = now->count;
  while (i < count && j < all) {
    cl_pair pair = pairs[i];
    uint64_t was = cl_pair_key(pair), is = cl_pair_key(found[j]);
    notified[j] |= was == is ? CL_NOTIFIED : 0;
    pairs[ended] = pair;
    ended += was < is;
    i += was <= is;
    j += is <= was;
  }
  if (i < count) memmove(pairs + ended, pairs + i, (count - i) * sizeof *pairs);
  open->count = ended + (count - i);
  if (open->count > 0) memset(open->bits, CL_NOTIFIED, open->count);
}

void cl_contact_list_compare(cl_contact_list *contacts) {
  if (contacts->uncompared) compare(&contacts->ended, &contacts->now);
  contacts->uncompared = false;
}
