// collide, MIT licence (see LICENSE)
//
// Brings boxes closer. An axis is divided into pieces of one length, of which those without edges
// are left out; the others keep what lies between their first edge and their last. Layer: broad.

#include "broad/closer.h"

#include "base/work.h"
#include "geom/box.h"

enum { PIECES = CL_CLOSER_PIECES, SAMPLED = 16, MOSTLY = 14 };

typedef cl_closer_piece piece;
typedef cl_closer_axis axis;

void cl_closer_free(cl_closer *closer, const cl_alloc *alloc) {
  if (closer->broad) closer->broad->class->close(closer->broad);
  CL_FREE(alloc, closer->box, closer->box_cap);
  CL_FREE(alloc, closer->axis, closer->axis_cap);
  *closer = (cl_closer){0};
}

bool cl_are_mostly_coarse(const cl_broad_input *in) {
  uint32_t coarse = 0;
  if (in->count < SAMPLED) return false;
  for (uint32_t i = 0; i < SAMPLED; i++) {
    coarse += cl_fbox_is_coarse(in->box[(uint64_t)i * in->count / SAMPLED]);
  }
  return coarse >= MOSTLY;
}

CL_INLINE double low_edge(const cl_bounds *b, bool down) { return down ? b->t : b->l; }
CL_INLINE double high_edge(const cl_bounds *b, bool down) { return down ? b->b : b->r; }

CL_INLINE uint32_t piece_of(const axis *a, double v) {
  double place = (v - a->low) * a->per;
  return place < PIECES - 1 ? (uint32_t)place : PIECES - 1;
}

// Both rounding and the choice of pieces keep the order of edges, or make two the same.
CL_INLINE double closer_to(const axis *a, double v) {
  const piece *p = &a->piece[piece_of(a, v)];
  return p->at + (v - p->low);
}

CL_INLINE void add_edge(axis *a, double v) {
  piece *p = &a->piece[piece_of(a, v)];
  p->low = cl_min(p->low, v);
  p->high = cl_max(p->high, v);
}

// Lays the pieces one after another, around 0, with a space between them.
static void lay(axis *a) {
  double sum = 0, used = 0;
  for (uint32_t k = 0; k < PIECES; k++) {
    if (a->piece[k].low > a->piece[k].high) continue;
    sum += a->piece[k].high - a->piece[k].low;
    used++;
  }
  double space = sum > 0 ? sum / used : 1, at = -(sum + space * used) / 2;
  for (uint32_t k = 0; k < PIECES; k++) {
    piece *p = &a->piece[k];
    if (p->low > p->high) continue;
    p->at = at;
    at = closer_to(a, p->high) + space;
  }
}

static void measure(axis *a, const cl_broad_input *in, bool down) {
  double low = low_edge(&in->fine[0], down), high = high_edge(&in->fine[0], down);
  for (uint32_t i = 1; i < in->count; i++) {
    low = cl_min(low, low_edge(&in->fine[i], down));
    high = cl_max(high, high_edge(&in->fine[i], down));
  }
  a->low = low;
  a->per = high - low > 1e-300 ? PIECES / (high - low) : 0;
  for (uint32_t k = 0; k < PIECES; k++) a->piece[k] = (piece){INFINITY, -INFINITY, 0};
  for (uint32_t i = 0; i < in->count; i++) {
    add_edge(a, low_edge(&in->fine[i], down));
    add_edge(a, high_edge(&in->fine[i], down));
  }
  lay(a);
}

static void bring_closer(cl_closer *closer, const cl_broad_input *in) {
  axis *x = &closer->axis[0], *y = &closer->axis[1];
  measure(x, in, false);
  measure(y, in, true);
  for (uint32_t i = 0; i < in->count; i++) {
    const cl_bounds *b = &in->fine[i];
    closer->box[i] =
        cl_fbox_of(closer_to(x, b->l), closer_to(y, b->t), closer_to(x, b->r), closer_to(y, b->b));
  }
  CL_WORK(2 * (uint64_t)in->count);
}

// As of boxes that were placed one after another.
static cl_status begin(cl_broad *broad, const cl_broad_input *in) {
  if (!broad->class->begin) return CL_OK;
  uint32_t movers = 0;
  for (uint32_t i = 0; i < in->count; i++) movers += !in->fixed || !in->fixed[i];
  cl_status status = broad->class->begin(broad, in);
  if (status == CL_OK) broad->class->take(broad, in, 0, movers);
  return status;
}

static void drop_others(const cl_bounds *fine, cl_pairs *out, size_t from) {
  size_t n = from;
  for (size_t i = from; i < out->count; i++) {
    cl_pair pair = out->at[i];
    out->at[n] = pair;
    n += cl_bounds_touch(fine[pair.a], fine[pair.b]);
  }
  out->count = n;
}

cl_status cl_closer_find(cl_closer *closer, cl_broad *broad, const cl_broad_input *in,
                         size_t enough, cl_pairs *out) {
  const cl_alloc *alloc = &broad->alloc;
  const cl_broad_def def = {.alloc = *alloc};
  size_t from = out->count;
  closer->used = false;
  if (in->count == 0) return CL_OK;
  if (!closer->broad) closer->broad = broad->class->open(&def);
  if (!closer->broad) return CL_NOMEM;
  cl_status status = CL_RESERVE(alloc, closer->box, closer->box_cap, in->count);
  if (status == CL_OK) status = CL_RESERVE(alloc, closer->axis, closer->axis_cap, 2);
  if (status != CL_OK) return status;
  bring_closer(closer, in);
  cl_broad_input near = *in;
  near.box = closer->box;
  near.fine = NULL;
  near.enough = enough;
  near.order = near.static_version = ++closer->finds;
  status = begin(closer->broad, &near);
  if (status == CL_OK) status = closer->broad->class->find(closer->broad, &near, out);
  if (status != CL_OK) return status;
  if (!cl_broad_has_enough(&near, out->count - from)) {
    drop_others(in->fine, out, from);
    broad->name = closer->broad->name;
    closer->used = true;
    return CL_OK;
  }
  out->count = from;
  return broad->class->find(broad, in, out);
}

// Where a place came from; all of a space came from the end of the piece before it.
static double back_to(const axis *a, double v) {
  const piece *from = NULL;
  double most = INFINITY;
  for (uint32_t k = 0; k < PIECES; k++) {
    const piece *p = &a->piece[k];
    if (p->low > p->high) continue;
    if (from && p->at > v) {
      most = from->high;
      break;
    }
    from = p;
  }
  return cl_min(from->low + (v - from->at), most);
}

size_t cl_closer_cells(const cl_closer *closer, cl_cell *out, size_t capacity) {
  size_t count = closer->broad->class->cells(closer->broad, out, capacity);
  const axis *x = &closer->axis[0], *y = &closer->axis[1];
  for (size_t i = 0; i < count && i < capacity; i++) {
    cl_fbox b = out[i].box;
    out[i].box = cl_fbox_of(back_to(x, b.x0), back_to(y, b.y0), back_to(x, b.x1), back_to(y, b.y1));
  }
  return count;
}
