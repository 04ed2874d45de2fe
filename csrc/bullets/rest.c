// collide, MIT licence (see LICENSE)
//
// The shots that were found during the dispatch of a step: a binary heap with the first in the
// order of dispatch at its root. Layer: bullets.

#include "bullets/shots.h"

static bool is_less(const cl_shots *rest, size_t i, size_t k) {
  return cl_shot_order(&rest->at[i], &rest->at[k]) < 0;
}

static void exchange(cl_shots *rest, size_t i, size_t k) {
  cl_shot shot = rest->at[i];
  rest->at[i] = rest->at[k];
  rest->at[k] = shot;
}

static void move_up(cl_shots *rest, size_t i) {
  for (size_t parent; i > 0 && is_less(rest, i, parent = (i - 1) / 2); i = parent) {
    exchange(rest, i, parent);
  }
}

static void move_down(cl_shots *rest) {
  for (size_t i = 0, child; (child = 2 * i + 1) < rest->count; i = child) {
    if (child + 1 < rest->count && is_less(rest, child + 1, child)) child++;
    if (!is_less(rest, child, i)) return;
    exchange(rest, i, child);
  }
}

void cl_rest_push(cl_shots *rest, const cl_shot *shot) {
  assert(rest->count < rest->cap);
  rest->at[rest->count] = *shot;
  move_up(rest, rest->count++);
}

cl_shot *cl_rest_pop(cl_shots *rest) {
  assert(rest->count > 0);
  exchange(rest, 0, --rest->count);
  move_down(rest);
  return &rest->at[rest->count];
}

void cl_rest_unpop(cl_shots *rest) { move_up(rest, rest->count++); }
