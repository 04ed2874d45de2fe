// collide, MIT licence (see LICENSE)
//
// Kinds: shapes that are placed alike share a number. Layer: world.

#ifndef CL_WORLD_KINDS_H
#define CL_WORLD_KINDS_H

#include "geom/box.h"
#include "geom/shape.h"

/// What is known of an actor without reading its shape: an upright rectangle, a circle, a shape
/// with a block (cl_has_block) of few or many vertices, or anything else.
enum { CL_FORM_BOX, CL_FORM_CIRCLE, CL_FORM_FEW, CL_FORM_MANY, CL_FORM_OTHER, CL_FORMS };

/// Shapes that are placed alike share a number. If `bounded`, a shape at (x, y) has its centre at
/// (x, y) + o, and its bounds follow from there, with the same bits as in the narrow phase; unless
/// it has an angle and `rotates`, which means that the angle affects the area covered. `block` is
/// the vertex block of that shape, if it has one: each such shape is a kind of its own.
typedef struct cl_kind {
  double o[2], lt[2], rb[2];
  const double *block;
  uint8_t form;
  bool rotates, bounded;
} cl_kind;

/// The bounds of one at that place, of a kind that is bounded and not rotated.
CL_INLINE void cl_kind_box(const cl_kind *kind, const cl_vec *at, cl_fbox *box) {
  cl_f64x2 o = cl_f64x2_add(cl_f64x2_load(&at->x), cl_f64x2_load(kind->o));
  cl_f64x2 lt = cl_f64x2_add(o, cl_f64x2_load(kind->lt));
  cl_f64x2 rb = cl_f64x2_add(o, cl_f64x2_load(kind->rb));
  cl_fbox_put(box, lt, rb);
}

/// The table's data of a kind: how many actors are of it, and the next in its list.
typedef struct cl_kind_link {
  uint32_t uses, next;
} cl_kind_link;

/// The kinds of shapes that are read each time, because there was no memory for a kind of their
/// own. They exist once there is an actor.
enum { CL_KIND_ANY, CL_KIND_ANY_UPRIGHT, CL_KINDS_ANY };

/// All kinds. Unused ones are in a list, linked like a bucket.
typedef struct cl_kinds {
  cl_kind *at;
  cl_kind_link *link;
  uint32_t *bucket;
  size_t cap, link_cap, bucket_cap;
  uint32_t count, buckets, spare;
  uint32_t form[CL_FORMS]; ///< how many actors have each form
  uint32_t bounded;        ///< how many are of bounded kinds
} cl_kinds;

/// Makes the kinds of any shape, if that has not been done.
cl_status cl_kinds_open(cl_kinds *kinds, const cl_alloc *alloc);
void cl_kinds_free(cl_kinds *kinds, const cl_alloc *alloc);
/// The kind of a shape, for one more actor; one of those for any shape if there is no memory for a
/// new one.
uint32_t cl_kinds_take(cl_kinds *kinds, const cl_alloc *alloc, const cl_shape *shape);
/// One actor less is of a kind; the number of a kind without actors is used again.
void cl_kinds_drop(cl_kinds *kinds, uint32_t kind);

#endif
