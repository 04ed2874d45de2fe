// collide, MIT licence (see LICENSE)
//
// Kinds: shapes that are placed alike share a number, so that placing an actor reads a small table
// instead of its shape. A hash table with chains. Layer: world.

#include "world/kinds.h"

#include <string.h>

#include "narrow/sat.h"

enum { NONE = CL_KIND_ANY, FIRST_BUCKETS = 8 };

static uint8_t form_of(const cl_shape *shape) {
  if (shape->kind == CL_CIRCLE) return CL_FORM_CIRCLE;
  if (cl_shape_is_box(shape)) return CL_FORM_BOX;
  if (!cl_has_block(shape)) return CL_FORM_OTHER;
  return cl_has_few(shape) ? CL_FORM_FEW : CL_FORM_MANY;
}

// Rounding keeps order, so the outermost vertices stay outermost at any place. A radius is added
// after placing, and tiles are placed differently: these are not bounded.
static cl_kind kind_of(const cl_shape *shape) {
  cl_kind kind = {.form = form_of(shape), .rotates = !(shape->flags & CL_SHAPE_UPRIGHT)};
  kind.bounded =
      kind.form == CL_FORM_CIRCLE || (!(shape->flags & CL_SHAPE_ROUND) && shape->kind != CL_TILES);
  if (kind.form == CL_FORM_CIRCLE) {
    cl_vec o = cl_rot_apply((cl_rot){1, 0}, (cl_vec){shape->vx[0], shape->vy[0]});
    kind.o[0] = o.x, kind.o[1] = o.y;
    kind.lt[0] = kind.lt[1] = -shape->radius;
    kind.rb[0] = kind.rb[1] = shape->radius;
    kind.rotates = kind.rotates && (o.x != 0 || o.y != 0);
  } else if (kind.bounded) {
    cl_bounds b = shape->bounds;
    kind.o[0] = kind.o[1] = -0.0; // adding it changes nothing
    kind.lt[0] = b.l, kind.lt[1] = b.t;
    kind.rb[0] = b.r, kind.rb[1] = b.b;
    if (cl_has_block(shape) && kind.form != CL_FORM_BOX) kind.block = cl_own_block(shape);
  }
  return kind;
}

enum { NUMBERS = 7 };

static bool is_same(const cl_kind *a, const cl_kind *b) {
  return a->form == b->form && a->rotates == b->rotates && a->bounded == b->bounded &&
         a->block == b->block && memcmp(a->o, b->o, sizeof a->o) == 0 &&
         memcmp(a->lt, b->lt, sizeof a->lt) == 0 && memcmp(a->rb, b->rb, sizeof a->rb) == 0;
}

static uint32_t hash_of(const cl_kind *kind) {
  uint64_t word[NUMBERS], hash = kind->form * 4u + kind->rotates * 2u + kind->bounded;
  memcpy(word, kind->o, sizeof kind->o);
  memcpy(word + 2, kind->lt, sizeof kind->lt);
  memcpy(word + 4, kind->rb, sizeof kind->rb);
  word[6] = (uintptr_t)kind->block;
  for (int i = 0; i < NUMBERS; i++) {
    hash = (hash ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash >> 16);
}

static uint32_t *bucket_of(const cl_kinds *kinds, const cl_kind *kind) {
  return &kinds->bucket[hash_of(kind) & (kinds->buckets - 1)];
}

static void link_all(cl_kinds *kinds, uint32_t buckets) {
  kinds->buckets = buckets;
  memset(kinds->bucket, 0, buckets * sizeof *kinds->bucket);
  for (uint32_t k = CL_KINDS_ANY; k < kinds->count; k++) {
    if (kinds->link[k].uses == 0) continue;
    uint32_t *bucket = bucket_of(kinds, &kinds->at[k]);
    kinds->link[k].next = *bucket;
    *bucket = k;
  }
}

static cl_status reserve(cl_kinds *kinds, const cl_alloc *alloc, size_t count) {
  cl_status status = CL_RESERVE(alloc, kinds->at, kinds->cap, count);
  return status == CL_OK ? CL_RESERVE(alloc, kinds->link, kinds->link_cap, count) : status;
}

cl_status cl_kinds_open(cl_kinds *kinds, const cl_alloc *alloc) {
  if (kinds->count > 0) return CL_OK;
  cl_status status = CL_RESERVE(alloc, kinds->bucket, kinds->bucket_cap, FIRST_BUCKETS);
  if (status == CL_OK) status = reserve(kinds, alloc, CL_KINDS_ANY);
  if (status != CL_OK) return status;
  kinds->link[CL_KIND_ANY] = kinds->link[CL_KIND_ANY_UPRIGHT] = (cl_kind_link){0, NONE};
  kinds->at[CL_KIND_ANY] = (cl_kind){.form = CL_FORM_OTHER, .rotates = true};
  kinds->at[CL_KIND_ANY_UPRIGHT] = (cl_kind){.form = CL_FORM_OTHER};
  kinds->count = CL_KINDS_ANY;
  link_all(kinds, FIRST_BUCKETS);
  return CL_OK;
}

void cl_kinds_free(cl_kinds *kinds, const cl_alloc *alloc) {
  CL_FREE(alloc, kinds->at, kinds->cap);
  CL_FREE(alloc, kinds->link, kinds->link_cap);
  CL_FREE(alloc, kinds->bucket, kinds->bucket_cap);
}

// A number for a new kind; NONE when out of memory.
static uint32_t new_number(cl_kinds *kinds, const cl_alloc *alloc) {
  uint32_t k = kinds->spare;
  if (k != NONE) {
    kinds->spare = kinds->link[k].next;
    return k;
  }
  if (reserve(kinds, alloc, (size_t)kinds->count + 1) != CL_OK) return NONE;
  if (kinds->count >= kinds->buckets) {
    size_t twice = 2 * (size_t)kinds->buckets;
    if (CL_RESERVE(alloc, kinds->bucket, kinds->bucket_cap, twice) != CL_OK) return NONE;
    link_all(kinds, (uint32_t)twice);
  }
  return kinds->count++;
}

uint32_t cl_kinds_take(cl_kinds *kinds, const cl_alloc *alloc, const cl_shape *shape) {
  cl_kind kind = kind_of(shape);
  uint32_t k = *bucket_of(kinds, &kind);
  while (k != NONE && !is_same(&kinds->at[k], &kind)) k = kinds->link[k].next;
  if (k == NONE && (k = new_number(kinds, alloc)) != NONE) {
    uint32_t *bucket = bucket_of(kinds, &kind);
    kinds->at[k] = kind;
    kinds->link[k] = (cl_kind_link){0, *bucket};
    *bucket = k;
  }
  if (k == NONE) k = shape->flags & CL_SHAPE_UPRIGHT ? CL_KIND_ANY_UPRIGHT : CL_KIND_ANY;
  kinds->link[k].uses++;
  kinds->form[kinds->at[k].form]++;
  kinds->bounded += kinds->at[k].bounded;
  return k;
}

void cl_kinds_drop(cl_kinds *kinds, uint32_t k) {
  cl_kind *kind = &kinds->at[k];
  kinds->form[kind->form]--;
  kinds->bounded -= kind->bounded;
  if (--kinds->link[k].uses > 0 || k < CL_KINDS_ANY) return;
  uint32_t *link = bucket_of(kinds, kind);
  while (*link != k) link = &kinds->link[*link].next;
  *link = kinds->link[k].next;
  kinds->link[k].next = kinds->spare;
  kinds->spare = k;
}
