// collide, MIT licence (see LICENSE)
//
// Shapes of given parts: the tree over many parts; one allocation that is filled part by part; the
// constructors that need no geometry, shapes in variables, and references. Layer: geom.

#include "geom/shape.h"

#include "base/exact.h"
#include "cells/grid.h"

// --- the tree over parts ---

// Parts in a leaf.
enum { LEAF = 4 };

// How many nodes a tree of this many parts has.
static uint32_t size_below(uint32_t parts) {
  return parts <= LEAF ? 1 : 1 + size_below(parts / 2) + size_below(parts - parts / 2);
}

static uint32_t tree_size(uint32_t parts) { return parts > CL_FEW_PARTS ? size_below(parts) : 0; }

static double middle(const cl_part *part, bool across) {
  const cl_bounds *b = &part->bounds;
  return across ? b->l + b->r : b->t + b->b;
}

// Puts the `half` parts with the smallest middles first: quickselect (Hoare 1961).
static void split_parts(const cl_part *parts, uint32_t *order, uint32_t count, uint32_t half,
                        bool across) {
  int64_t low = 0, high = (int64_t)count - 1, wanted = half;
  while (low < high) {
    double pivot = middle(&parts[order[low + (high - low) / 2]], across);
    int64_t i = low, k = high;
    while (i <= k) {
      while (middle(&parts[order[i]], across) < pivot) i++;
      while (middle(&parts[order[k]], across) > pivot) k--;
      if (i > k) break;
      uint32_t swap = order[i];
      order[i++] = order[k];
      order[k--] = swap;
    }
    if (wanted > k && wanted < i) return; // all between them equal the pivot
    if (wanted <= k) high = k;
    else low = i;
  }
}

// Splits the parts from `first` on in `order` at the median along the longer side, down to leaves.
// `used` counts the nodes.
static void build_part_tree(cl_shape *s, uint32_t first, uint32_t count, uint32_t *used) {
  cl_part_node *node = &s->nodes[(*used)++];
  cl_bounds b = s->parts[s->order[first]].bounds;
  for (uint32_t i = 1; i < count; i++) b = cl_bounds_join(b, s->parts[s->order[first + i]].bounds);
  *node = (cl_part_node){b, 0, first, count};
  if (count > LEAF) {
    uint32_t half = count / 2;
    split_parts(s->parts, s->order + first, count, half, b.r - b.l >= b.b - b.t);
    node->count = 0;
    build_part_tree(s, first, half, used);
    build_part_tree(s, first + half, count - half, used);
  }
  node->skip = *used;
}

cl_within cl_within_box(const cl_shape *shape, cl_bounds box) {
  bool few = shape->part_count <= CL_FEW_PARTS;
  return (cl_within){shape, box, 0, 0, few ? shape->part_count : 0};
}

bool cl_within_next(cl_within *w, uint32_t *part) {
  const cl_shape *s = w->shape;
  bool few = s->part_count <= CL_FEW_PARTS;
  uint32_t nodes = few ? 0 : s->nodes[0].skip;
  for (;;) {
    while (w->at < w->end) {
      uint32_t k = few ? w->at : s->order[w->at];
      w->at++;
      if (!cl_bounds_touch(s->parts[k].bounds, w->box)) continue;
      *part = k;
      return true;
    }
    if (w->node >= nodes) return false;
    const cl_part_node *n = &s->nodes[w->node];
    bool touch = cl_bounds_touch(n->bounds, w->box);
    w->node = touch ? w->node + 1 : n->skip;
    w->at = n->first;
    w->end = touch ? n->first + n->count : n->first;
  }
}

// --- validity ---

// How far a unit normal may be off by rounding, as a sine or a share.
#define NORMAL_ERROR 1e-12

static cl_vec part_vertex(const cl_shape *s, const cl_part *part, uint32_t i) {
  uint32_t k = part->first + i % part->count;
  return (cl_vec){s->vx[k], s->vy[k]};
}

// A convex outline turns only one way, and runs left once and right once.
static bool is_part_convex(const cl_shape *s, const cl_part *part) {
  int turns = 0;
  for (uint32_t i = 0; i < part->count && part->count > 2; i++) {
    cl_vec u = part_vertex(s, part, i), v = part_vertex(s, part, i + 1),
           w = part_vertex(s, part, i + 2);
    if (cl_orient(u, v, w) < 0) return false;
    turns += v.x < u.x && !(w.x < v.x);
  }
  return turns <= 1;
}

static bool is_normal(cl_vec n, cl_vec from, cl_vec to) {
  cl_vec e = cl_vec_sub(to, from);
  double length = cl_vec_normalise(&e);
  if (length == 0) return n.x == 0 && n.y == 0;
  return fabs(cl_vec_length(n) - 1) <= NORMAL_ERROR && fabs(cl_vec_dot(n, e)) <= NORMAL_ERROR &&
         cl_vec_cross(n, e) > 0;
}

bool cl_part_is_valid(const cl_shape *s, const cl_part *part) {
  if (part->count == 0 || !(part->radius >= 0)) return false;
  cl_bounds core = cl_bounds_grown(part->bounds, part->radius * 4 * CL_ROUND - part->radius);
  if ((part->flags & CL_PART_BOX) && part->count != 4) return false;
  for (uint32_t i = 0; i < ((part->count + 3) & ~3u); i++) {
    uint32_t k = part->first + i, same = i < part->count ? i : part->count - 1;
    cl_vec v = part_vertex(s, part, same);
    if (s->vx[k] != v.x || s->vy[k] != v.y) return false;
    double error = 4 * CL_ROUND * part->reach;
    if (!cl_bounds_hold(cl_bounds_grown(core, part->radius > 0 ? error : 0), v)) return false;
    if (!(fabs(v.x) + fabs(v.y) <= part->reach)) return false;
    cl_vec n = {s->nx[k], s->ny[k]};
    cl_vec w = part_vertex(s, part, same + 1);
    if (part->count > 1 && !is_normal(n, v, w)) return false;
    if (s->line[k] != cl_max(cl_vec_dot(n, v), cl_vec_dot(n, w))) return false;
  }
  return is_part_convex(s, part);
}

// Nodes in preorder, each of which contains the nodes below; the leaves partition `order`.
static bool is_tree_valid(const cl_shape *s) {
  uint32_t nodes = tree_size(s->part_count), at = 0;
  uint64_t sum = 0;
  if (nodes == 0) return true;
  if (s->nodes[0].skip != nodes) return false;
  for (uint32_t i = 0; i < nodes; i++) {
    const cl_part_node *n = &s->nodes[i];
    if (n->skip <= i || n->skip > nodes) return false;
    if (n->count == 0) {
      const cl_part_node *first = n + 1, *second = &s->nodes[first->skip];
      if (first->skip >= n->skip || second->skip != n->skip) return false;
      if (!cl_bounds_cover(n->bounds, first->bounds) || !cl_bounds_cover(n->bounds, second->bounds))
        return false;
      continue;
    }
    if (n->first != at || n->skip != i + 1) return false;
    for (at = n->first; at < n->first + n->count; at++) {
      if (at >= s->part_count || s->order[at] >= s->part_count) return false;
      if (!cl_bounds_cover(n->bounds, s->parts[s->order[at]].bounds)) return false;
      sum += s->order[at];
    }
  }
  return at == s->part_count && sum == (uint64_t)at * (at - 1) / 2;
}

static bool are_members_valid(const cl_shape *s) {
  for (uint32_t i = 0; i < s->member_count; i++) {
    const cl_shape *m = s->members[i];
    if (m->references == 0 || m->kind == CL_TILES || m->levels >= s->levels) return false;
    if ((m->flags ^ s->flags) & CL_SHAPE_UPRIGHT) return false;
    if (s->ends[i] != (i > 0 ? s->ends[i - 1] : 0) + m->part_count) return false;
    if (s->names && i > 0 && cl_name_compare(s->names[i - 1], s->names[i]) >= 0) return false;
  }
  return s->member_count == 0 || s->kind == CL_COMPOUND;
}

bool cl_shape_is_valid(const cl_shape *s) {
  if (s->references == 0 || !(s->bounds.l <= s->bounds.r && s->bounds.t <= s->bounds.b))
    return false;
  if (s->kind == CL_TILES)
    return s->part_count == 0 && s->grid && s->grid->references > 0 && s->cell.x > 0 &&
           s->cell.y > 0 && (s->flags & CL_SHAPE_UPRIGHT) && (!s->set || s->set->references > 0);
  if (s->part_count == 0) return false;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *part = &s->parts[i];
    if (!cl_part_is_valid(s, part) || !cl_bounds_cover(s->bounds, part->bounds)) return false;
    if (!(part->reach + part->radius <= s->reach)) return false;
    uint32_t needs = part->radius > 0 ? CL_SHAPE_ROUND : part->count <= 2 ? CL_SHAPE_THIN : 0;
    if ((s->flags & needs) != needs) return false;
  }
  return is_tree_valid(s) && are_members_valid(s);
}

// --- making a shape ---

cl_build cl_build_new(const cl_alloc *alloc, cl_shape_kind kind, uint32_t flags, cl_build_size n) {
  const uint64_t most = CL_SHAPE_MOST;
  if (n.parts > most || n.vertices > most || n.outline > most || n.members > most)
    return (cl_build){0};
  if (n.bytes > SIZE_MAX / 2) return (cl_build){0};
  uint64_t nodes = tree_size((uint32_t)n.parts), ordered = nodes > 0 ? n.parts : 0;
  uint64_t size = sizeof(cl_shape) + n.parts * sizeof(cl_part) +
                  n.vertices * (5 * sizeof(double) + 1) + n.outline * sizeof(cl_vec) +
                  nodes * sizeof(cl_part_node) + n.members * sizeof(cl_shape *) +
                  n.names * sizeof(cl_name) + (ordered + n.members) * sizeof(uint32_t) + n.bytes;
  cl_shape *s = size <= SIZE_MAX ? cl_new(alloc, (size_t)size) : NULL;
  if (!s) return (cl_build){0};
  // In this order all are aligned.
  s->parts = (cl_part *)(s + 1);
  cl_shape_place_arrays(s, (double *)(s->parts + n.parts), (size_t)n.vertices);
  s->outline = (cl_vec *)(s->line + n.vertices);
  s->nodes = (cl_part_node *)(s->outline + n.outline);
  s->members = (cl_shape **)(s->nodes + nodes);
  s->names = n.names > 0 ? (cl_name *)(s->members + n.members) : NULL;
  s->order = (uint32_t *)((cl_name *)(s->members + n.members) + n.names);
  s->ends = s->order + ordered;
  s->inner = (uint8_t *)(s->ends + n.members);
  s->kind = kind;
  s->flags = flags;
  s->references = 1;
  s->part_count = (uint32_t)n.parts;
  s->outline_count = (uint32_t)n.outline;
  s->member_count = (uint32_t)n.members;
  s->alloc = *alloc;
  s->size = (size_t)size;
  return (cl_build){.shape = s};
}

// Unit normal to the right of the edge from a to b, which points outward when the
// order is positive.
static cl_vec edge_normal(cl_vec a, cl_vec b) {
  cl_vec e = cl_vec_sub(b, a);
  cl_vec_normalise(&e);
  return (cl_vec){e.y, -e.x};
}

void cl_build_part(cl_build *build, const cl_vec *vertices, uint32_t count, double radius,
                   const uint8_t *inner) {
  cl_shape *s = build->shape;
  cl_part *part = &s->parts[build->next_part++];
  uint32_t first = build->next_vertex, padded = cl_build_padded(count);
  *part = (cl_part){.first = first, .count = count, .radius = radius};
  cl_extent extent = cl_extent_empty();
  for (uint32_t i = 0; i < count; i++) {
    cl_vec v = vertices[i], w = vertices[i + 1 < count ? i + 1 : 0], n = edge_normal(v, w);
    s->vx[first + i] = v.x, s->vy[first + i] = v.y;
    s->nx[first + i] = n.x, s->ny[first + i] = n.y;
    s->line[first + i] = cl_max(cl_vec_dot(n, v), cl_vec_dot(n, w));
    s->inner[first + i] = inner ? inner[i] : 0;
    cl_extent_add(&extent, v);
    part->reach = cl_max(part->reach, fabs(v.x) + fabs(v.y));
  }
  for (uint32_t i = first + count; i < first + padded; i++) { // padding repeats the last
    s->vx[i] = s->vx[i - 1], s->vy[i] = s->vy[i - 1];
    s->nx[i] = s->nx[i - 1], s->ny[i] = s->ny[i - 1];
    s->line[i] = s->line[i - 1], s->inner[i] = s->inner[i - 1];
  }
  part->bounds = cl_bounds_grown(cl_extent_bounds(&extent), radius);
  build->next_vertex += padded;
}

#define PI 3.141592653589793

// The area of the polygon, of a strip as wide as the radius along its edges, and of a full circle.
double cl_area_convex(const cl_vec *v, uint32_t count, double radius) {
  double twice = 0, round = 0;
  for (uint32_t i = 0; i < count; i++) {
    cl_vec a = cl_vec_sub(v[i], v[0]), b = cl_vec_sub(v[(i + 1) % count], v[0]);
    twice += cl_vec_cross(a, b);
    round += cl_vec_length(cl_vec_sub(b, a));
  }
  return twice / 2 + radius * (round + PI * radius);
}

// Copies a part of another shape, with its computed normals and bounds.
static void copy_part(cl_build *build, const cl_shape *from, uint32_t index) {
  assert(index < from->part_count);
  cl_shape *s = build->shape;
  cl_part *part = &s->parts[build->next_part++];
  *part = from->parts[index];
  uint32_t of = part->first, at = build->next_vertex, padded = cl_build_padded(part->count);
  size_t bytes = padded * sizeof(double);
  memcpy(s->vx + at, from->vx + of, bytes);
  memcpy(s->vy + at, from->vy + of, bytes);
  memcpy(s->nx + at, from->nx + of, bytes);
  memcpy(s->ny + at, from->ny + of, bytes);
  memcpy(s->line + at, from->line + of, bytes);
  memcpy(s->inner + at, from->inner + of, padded);
  part->first = at;
  build->next_vertex += padded;
}

void cl_build_finish(cl_build *build) {
  cl_shape *s = build->shape;
  assert(s->part_count > 0);
  s->bounds = s->parts[0].bounds;
  for (uint32_t i = 0; i < s->part_count; i++) {
    const cl_part *p = &s->parts[i];
    s->bounds = cl_bounds_join(s->bounds, p->bounds);
    s->reach = cl_max(s->reach, p->reach + p->radius);
    if (p->radius > 0) s->flags |= CL_SHAPE_ROUND;
    else if (p->count <= 2) s->flags |= CL_SHAPE_THIN;
  }
  s->w = s->bounds.r - s->bounds.l;
  s->h = s->bounds.b - s->bounds.t;
  if (s->part_count > CL_FEW_PARTS) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < s->part_count; i++) s->order[i] = i;
    build_part_tree(s, 0, s->part_count, &used);
  }
  CL_CHECK(cl_shape_is_valid(s));
}

// --- shapes of one part ---

static bool is_size_ok(double size) { return size >= CL_MIN_SIZE && cl_coord_ok(size); }

static bool are_same(cl_vec a, cl_vec b) { return a.x == b.x && a.y == b.y; }

// A shape of one part with these corners. Two equal corners become one, that of a circle.
static cl_status make_one(const cl_alloc *alloc, cl_shape_kind kind, const cl_vec *v,
                          uint32_t count, double r, cl_shape **out) {
  cl_build build =
      cl_build_new(alloc, kind, 0, (cl_build_size){.parts = 1, .vertices = 4, .outline = count});
  cl_shape *s = build.shape;
  if (!s) return CL_NOMEM;
  cl_build_part(&build, v, count == 2 && are_same(v[0], v[1]) ? 1 : count, r, NULL);
  memcpy(s->outline, v, count * sizeof *v);
  s->radius = r;
  s->area = cl_area_convex(v, count, r);
  cl_build_finish(&build);
  *out = s;
  return CL_OK;
}

cl_status cl_shape_rectangle(const cl_alloc *alloc, double x, double y, double w, double h,
                             cl_shape **out) {
  if (!cl_place_ok((cl_vec){x, y}) || !is_size_ok(w) || !is_size_ok(h)) return CL_INVALID;
  x = cl_coord_kept(x), y = cl_coord_kept(y);
  double r = cl_coord_kept(x + w), b = cl_coord_kept(y + h);
  if (!(r > x && b > y)) return CL_INVALID;
  const cl_vec v[4] = {{x, y}, {r, y}, {r, b}, {x, b}};
  cl_status status = make_one(alloc, CL_RECTANGLE, v, 4, 0, out);
  if (status != CL_OK) return status;
  (*out)->parts[0].flags = CL_PART_BOX;
  (*out)->area = w * h;
  (*out)->w = w;
  (*out)->h = h;
  return CL_OK;
}

cl_status cl_shape_circle(const cl_alloc *alloc, double x, double y, double r, cl_shape **out) {
  cl_vec v = {cl_coord_kept(x), cl_coord_kept(y)};
  if (!cl_place_ok(v) || !is_size_ok(r)) return CL_INVALID;
  return make_one(alloc, CL_CIRCLE, &v, 1, r, out);
}

cl_status cl_shape_capsule(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           double r, cl_shape **out) {
  const cl_vec v[2] = {{cl_coord_kept(x1), cl_coord_kept(y1)},
                       {cl_coord_kept(x2), cl_coord_kept(y2)}};
  if (!cl_place_ok(v[0]) || !cl_place_ok(v[1]) || !is_size_ok(r)) return CL_INVALID;
  return make_one(alloc, CL_CAPSULE, v, 2, r, out);
}

cl_status cl_shape_segment(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           cl_shape **out) {
  const cl_vec v[2] = {{cl_coord_kept(x1), cl_coord_kept(y1)},
                       {cl_coord_kept(x2), cl_coord_kept(y2)}};
  if (!cl_place_ok(v[0]) || !cl_place_ok(v[1]) || are_same(v[0], v[1])) return CL_INVALID;
  return make_one(alloc, CL_SEGMENT, v, 2, 0, out);
}

static void fill_stack(cl_stack_shape *temp, cl_shape_kind kind, const cl_vec *v, uint32_t count,
                       double r) {
  cl_shape *s = &temp->shape;
  *s = (cl_shape){.kind = kind, .references = 1, .part_count = 1, .radius = r};
  s->parts = &temp->part;
  cl_shape_place_arrays(s, temp->arrays, 4);
  s->inner = temp->inner;
  s->alloc = cl_alloc_default();
  cl_build build = {.shape = s};
  cl_build_part(&build, v, count, r, NULL);
  cl_build_finish(&build);
}

void cl_stack_circle(cl_stack_shape *temp, double r) {
  assert(r >= 0 && cl_coord_ok(r));
  const cl_vec v = {0, 0};
  fill_stack(temp, CL_CIRCLE, &v, 1, r);
}

void cl_stack_segment(cl_stack_shape *temp, double x1, double y1, double x2, double y2) {
  const cl_vec v[2] = {{x1, y1}, {x2, y2}};
  fill_stack(temp, CL_SEGMENT, v, are_same(v[0], v[1]) ? 1 : 2, 0);
}

void cl_stack_capsule(cl_stack_shape *temp, double x, double y, double r) {
  const cl_vec v[2] = {{0, 0}, {cl_coord_kept(x), cl_coord_kept(y)}};
  bool round = are_same(v[0], v[1]);
  fill_stack(temp, round ? CL_CIRCLE : CL_CAPSULE, v, round ? 1 : 2, r);
}

void cl_stack_box(cl_stack_shape *temp, cl_bounds box) {
  const cl_vec v[4] = {{box.l, box.t}, {box.r, box.t}, {box.r, box.b}, {box.l, box.b}};
  fill_stack(temp, CL_RECTANGLE, v, 4, 0);
}

// --- shapes made of shapes ---

int cl_name_compare(cl_name a, cl_name b) {
  size_t shorter = a.length < b.length ? a.length : b.length;
  int sign = shorter > 0 ? memcmp(a.bytes, b.bytes, shorter) : 0;
  return sign != 0 ? sign : (a.length > b.length) - (a.length < b.length);
}

// Copies the names to `to`, which has room for all their bytes.
static void copy_names(cl_shape *s, const cl_name *names, char *to) {
  for (uint32_t i = 0; i < s->member_count; i++) {
    s->names[i] = (cl_name){to, names[i].length};
    if (names[i].length > 0) memcpy(to, names[i].bytes, names[i].length);
    to += names[i].length;
  }
}

cl_status cl_shape_compound_named(const cl_alloc *alloc, cl_shape *const *members,
                                  const cl_name *names, uint32_t count, cl_shape **out) {
  if (count == 0) return CL_INVALID;
  cl_build_size size = {.members = count, .names = names ? count : 0};
  uint32_t levels = 0, upright = members[0]->flags & CL_SHAPE_UPRIGHT;
  for (uint32_t i = 0; i < count; i++) {
    if (names && i > 0 && cl_name_compare(names[i - 1], names[i]) >= 0) return CL_INVALID;
    size.bytes += names ? names[i].length : 0;
    if (members[i]->kind == CL_TILES) return CL_INVALID;
    if ((members[i]->flags & CL_SHAPE_UPRIGHT) != upright) return CL_INVALID;
    if (members[i]->levels > levels) levels = members[i]->levels;
    size.parts += members[i]->part_count;
    for (uint32_t k = 0; k < members[i]->part_count; k++)
      size.vertices += cl_build_padded(members[i]->parts[k].count);
  }
  if (levels >= CL_SHAPE_LEVELS) return CL_INVALID;
  cl_build build = cl_build_new(alloc, CL_COMPOUND, 0, size);
  if (!build.shape) return CL_NOMEM;
  build.shape->levels = levels + 1;
  build.shape->flags |= upright;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < members[i]->part_count; k++) copy_part(&build, members[i], k);
    build.shape->area += members[i]->area;
    build.shape->members[i] = cl_shape_retain(members[i]);
    build.shape->ends[i] = build.next_part;
  }
  if (names) copy_names(build.shape, names, (char *)build.shape->inner + size.vertices);
  cl_build_finish(&build);
  *out = build.shape;
  return CL_OK;
}

cl_status cl_shape_compound(const cl_alloc *alloc, cl_shape *const *members, uint32_t count,
                            cl_shape **out) {
  return cl_shape_compound_named(alloc, members, NULL, count, out);
}

// The kind of shape that a convex part is on its own.
static cl_shape_kind kind_of_part(const cl_part *part) {
  if (part->flags & CL_PART_BOX) return CL_RECTANGLE;
  if (part->count == 1) return CL_CIRCLE;
  if (part->count == 2) return part->radius > 0 ? CL_CAPSULE : CL_SEGMENT;
  return CL_POLYGON;
}

cl_status cl_shape_part(cl_shape *shape, uint32_t index, cl_shape **out) {
  if (index >= shape->part_count) return CL_INVALID;
  if (shape->part_count == 1 && shape->kind != CL_COMPOUND && shape->kind != CL_CHAIN) {
    *out = cl_shape_retain(shape);
    return CL_OK;
  }
  const cl_part *part = &shape->parts[index];
  uint32_t n = part->count, upright = shape->flags & CL_SHAPE_UPRIGHT;
  const cl_build_size size = {.parts = 1, .vertices = cl_build_padded(n), .outline = n};
  cl_build build = cl_build_new(&shape->alloc, kind_of_part(part), upright, size);
  if (!build.shape) return CL_NOMEM;
  copy_part(&build, shape, index);
  cl_shape *s = build.shape;
  memset(s->inner, 0, build.next_vertex);
  for (uint32_t i = 0; i < n; i++) s->outline[i] = (cl_vec){s->vx[i], s->vy[i]};
  cl_build_finish(&build);
  s->radius = part->radius;
  s->area = cl_area_convex(s->outline, n, part->radius);
  *out = s;
  return CL_OK;
}

// --- references and points ---

cl_shape *cl_shape_retain(cl_shape *shape) {
  assert(shape->references > 0 && shape->references < UINT32_MAX);
  shape->references++;
  return shape;
}

void cl_shape_release(cl_shape *shape) {
  assert(shape->references > 0);
  if (--shape->references > 0) return;
  for (uint32_t i = 0; i < shape->member_count; i++) cl_shape_release(shape->members[i]);
  if (shape->grid) cl_grid_release(shape->grid);
  cl_alloc alloc = shape->alloc;
  if (shape->views) cl_free(&alloc, shape->views, shape->set->views * sizeof *shape->views);
  if (shape->set && --shape->set->references == 0) cl_free(&alloc, shape->set, shape->set->size);
  cl_free(&alloc, shape, shape->size);
}

uint64_t cl_shape_point_count(const cl_shape *shape) {
  uint64_t n = shape->outline_count;
  for (uint32_t i = 0; i < shape->member_count; i++) n += cl_shape_point_count(shape->members[i]);
  return n;
}

cl_vec cl_shape_point(const cl_shape *shape, uint64_t index) {
  for (uint32_t i = 0; i < shape->member_count; i++) {
    uint64_t n = cl_shape_point_count(shape->members[i]);
    if (index < n) return cl_shape_point(shape->members[i], index);
    index -= n;
  }
  assert(index < shape->outline_count);
  return shape->outline[index];
}

cl_shape_kind cl_shape_kind_of(const cl_shape *shape) { return shape->kind; }

double cl_shape_radius(const cl_shape *shape) { return shape->radius; }

uint32_t cl_shape_part_count(const cl_shape *shape) { return shape->part_count; }

uint32_t cl_shape_member_count(const cl_shape *shape) {
  if (shape->kind == CL_TILES) return UINT8_MAX;
  return shape->kind == CL_CHAIN ? shape->part_count : shape->member_count;
}

cl_name cl_shape_member_name(const cl_shape *shape, uint32_t member) {
  bool named = shape->names && member >= 1 && member <= shape->member_count;
  return named ? shape->names[member - 1] : (cl_name){NULL, 0};
}

uint32_t cl_shape_member_like(const cl_shape *shape, const cl_shape *other, uint32_t member) {
  uint32_t count = cl_shape_member_count(shape);
  if (member == 0 || shape->kind != other->kind || !shape->names != !other->names) return 0;
  if (!shape->names) return member <= count ? member : 0;
  for (uint32_t i = 1; i <= count; i++)
    if (cl_name_compare(shape->names[i - 1], cl_shape_member_name(other, member)) == 0) return i;
  return 0;
}

uint32_t cl_shape_member_at(const cl_shape *shape, uint32_t part) {
  assert(part < shape->part_count);
  if (shape->kind == CL_CHAIN) return part + 1;
  if (shape->member_count == 0) return 0;
  return (uint32_t)cl_first_from(shape->ends, shape->member_count, part + 1) + 1;
}
