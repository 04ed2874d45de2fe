// collide, MIT licence (see LICENSE)
//
// The data of shapes, and shapes at a place. Layer: geom.
//
// A shape is one or more convex parts. A part is the convex hull of its vertices, grown by a
// radius: a circle is one vertex and a radius, a capsule two, a segment two without radius, a
// polygon three or more. Tiles alone have no parts: their cells become parts when they are needed
// (geom/tiles.h). Kinds matter only where a user sees them; the narrow phase sees parts.
//
// All vertices of a shape at a place come from cl_placed_vertex, so that boxes, decisions and
// depths use the same doubles.

#ifndef CL_GEOM_SHAPE_H
#define CL_GEOM_SHAPE_H

#include "base/alloc.h"
#include "geom/box.h"

/// Bits of cl_shape.flags.
enum {
  CL_SHAPE_UPRIGHT = 1, ///< ignores its actor's angle
  CL_SHAPE_ROUND = 2,   ///< has a radius somewhere: unequal scales are invalid
  CL_SHAPE_THIN = 4,    ///< has a segment or point somewhere
};

/// Bits of cl_part.flags.
enum {
  CL_PART_BOX = 1, ///< the rectangle `bounds`, compared exactly while upright
};

/// A convex part: `count` vertices from `first` on in the shape's arrays, in the
/// order that makes cl_orient positive. Edge i runs from vertex i to the next
/// (round); a part of one vertex has no edge, one of two has an edge each way.
typedef struct cl_part {
  uint32_t first, count, flags;
  double radius;
  double reach;     ///< no vertex is farther from 0, 0 than this, in |x| + |y|
  cl_bounds bounds; ///< with the radius; a rectangle's are l, t, l + w, t + h as doubles
} cl_part;

/// Whether it is a segment or a point, which have no interior.
static inline bool cl_part_is_thin(const cl_part *part) {
  return part->count < 3 && part->radius == 0;
}

/// The parts of a shape that has many, in a tree of boxes, in its frame. Nodes are in preorder: the
/// first child of an inner node comes right after it, the second where the nodes of the first end
/// (`skip`). A leaf has some parts, whose numbers are consecutive in the shape's `order`. Shapes of
/// up to CL_FEW_PARTS have no tree; their parts are tested one by one.
enum { CL_FEW_PARTS = 8 };
typedef struct cl_part_node {
  cl_bounds bounds;      ///< of all parts below, radii included
  uint32_t skip;         ///< the first node that is not below this one
  uint32_t first, count; ///< a leaf's parts in `order`; count is 0 in an inner node
} cl_part_node;

/// What the cells of tiles look like, by their value: empty, a full square, or a convex part of
/// one.
typedef enum cl_tile_kind { CL_TILE_EMPTY, CL_TILE_FULL, CL_TILE_PART } cl_tile_kind;

/// The four sides of a cell, in the order of a rectangle's edges.
typedef enum cl_tile_side { CL_TILE_TOP, CL_TILE_RIGHT, CL_TILE_BOTTOM, CL_TILE_LEFT } cl_tile_side;

/// What a tile covers of one side of its cell, from 0 to 1; low is above high when it covers none.
typedef struct cl_tile_span {
  double low, high;
} cl_tile_span;

/// A convex part of the cell 0 … 1, with its corners in the positive order. Corners are few, since
/// blocks of cells are made on the stack.
typedef struct cl_tile_part {
  uint32_t count;
  bool is_box; ///< an upright rectangle
  double radius, area;
  double detail; ///< its shortest edge, or least distance of a corner from its neighbours' line
  cl_vec corner[CL_TILE_CORNERS];
  cl_tile_span side[4];
} cl_tile_part;

/// How cells of a value act on movers: as their actor does; stop them from all sides; not at all;
/// and from CL_LAYER_PLANKS on, stop them on the side where they look, a layer for each direction.
typedef enum cl_tile_layer {
  CL_LAYER_USUAL,
  CL_LAYER_WALLS,
  CL_LAYER_SENSORS,
  CL_LAYER_PLANKS
} cl_tile_layer;

/// Views of a map, which are shapes in which all other cells are empty: all cells but sensors; the
/// cells of the layers usual and walls; and those of each layer.
enum {
  CL_VIEW_BODY,
  CL_VIEW_STOPS,
  CL_VIEW_LAYERS,
  CL_VIEW_SENSORS = CL_VIEW_LAYERS + CL_LAYER_SENSORS,
  CL_VIEW_PLANKS = CL_VIEW_LAYERS + CL_LAYER_PLANKS,
  CL_NO_VIEW = UINT16_MAX
};

/// The looks of all values. Shared by counting references; it never changes. If they have layers,
/// `view` has a set for each view, with the same parts.
typedef struct cl_tile_set {
  size_t size; ///< of the allocation; 0 of a view's
  uint32_t references;
  uint32_t part_count; ///< 0 in a view without any
  uint32_t views;
  bool is_round;       ///< some part has a radius
  bool layered;        ///< some value is in another layer than CL_LAYER_USUAL
  uint8_t kind[256];   ///< by value: cl_tile_kind
  uint8_t index[256];  ///< by value: which part
  uint16_t layer[256]; ///< by value: cl_tile_layer
  cl_tile_part *part;
  struct cl_tile_set *view;
  cl_vec *look; ///< of each layer of planks: the direction, a unit vector
} cl_tile_set;

/// Only functions of geom/ write it, while it is made; those of other layers may read it.
struct cl_shape {
  cl_shape_kind kind;
  uint32_t flags;
  uint32_t references;
  uint32_t part_count;
  uint32_t outline_count;
  uint32_t member_count;
  uint32_t levels;           ///< of compounds within compounds; 0 for other shapes
  cl_bounds bounds;          ///< of all parts
  double area;               ///< of all parts (a compound's overlaps count twice)
  double radius;             ///< of a circle or capsule, else 0
  double w, h;               ///< of a rectangle as given, else of the bounds
  bool closed;               ///< of a chain: the last point is joined to the first
  double reach;              ///< largest of the parts' (reach + radius)
  cl_part *parts;            ///< `part_count`
  double *vx, *vy;           ///< vertices; a part's arrays are padded to 4 with its last one,
  double *nx, *ny;           ///< unit outward normal of the edge that begins at each vertex,
  double *line;              ///< and how far along it the edge is from 0, 0: of its two ends the
                             ///< farther, so that it is the same whichever of them comes first;
                             ///< of a shape of one part the five arrays follow each other
  uint8_t *inner;            ///< per edge: 1 when it was made by a cut and lies inside the shape
  cl_part_node *nodes;       ///< of many parts: a tree over them
  uint32_t *order;           ///< and the parts in the order of its leaves
  cl_vec *outline;           ///< `outline_count` points, as returned by `points`
  struct cl_shape **members; ///< `member_count` shapes of a compound, a reference to each
  uint32_t *ends;            ///< of each the number of parts up to its last
  cl_name *names;            ///< and its name, in ascending order; NULL: they have none
  struct cl_grid *grid;      ///< of tiles, a reference
  cl_vec cell;               ///< of tiles: a cell's width and height
  cl_tile_set *set; ///< of tiles: what values look like, a reference; NULL: all but 0 are full
  struct cl_shape *views; ///< of tiles with layers: the views, which share all else
  cl_alloc alloc;
  size_t size; ///< of the allocation that holds all of this
};

/// Whether a shape is one rectangle; a compound with one member may be, too.
static inline bool cl_shape_is_box(const cl_shape *s) {
  return s->part_count == 1 && (s->parts->flags & CL_PART_BOX);
}

/// Whether a shape is valid, for tests and checked builds: vertices in the positive order and
/// convex, normals of their edges, bounds and reach that contain all parts, flags that agree with
/// them, every part in one leaf of the tree; members, or cells.
bool cl_shape_is_valid(const cl_shape *shape);

/// The same for a part, before there are others.
bool cl_part_is_valid(const cl_shape *shape, const cl_part *part);

/// Parts whose bounds (in the shape's frame) touch a box, one by one:
///   cl_within at = cl_within_box(shape, box);
///   while (cl_within_next(&at, &part)) …
typedef struct cl_within {
  const cl_shape *shape;
  cl_bounds box;
  uint32_t node, at, end;
} cl_within;

cl_within cl_within_box(const cl_shape *shape, cl_bounds box);
bool cl_within_next(cl_within *w, uint32_t *part);

/// A shape in a variable, for queries, which need one for a moment and must not fail.
/// `shape` points into the struct: it must not be copied, retained or released.
typedef struct cl_stack_shape {
  cl_shape shape;
  cl_part part;
  double arrays[5 * 4];
  uint8_t inner[4];
} cl_stack_shape;

/// A circle about 0, 0; with r = 0 a point.
void cl_stack_circle(cl_stack_shape *temp, double r);
/// From one point to another, which may be equal.
void cl_stack_segment(cl_stack_shape *temp, double x1, double y1, double x2, double y2);
/// A capsule of radius r > 0 along a segment from 0, 0; a circle if that has no length.
void cl_stack_capsule(cl_stack_shape *temp, double x, double y, double r);
/// A box with an area.
void cl_stack_box(cl_stack_shape *temp, cl_bounds box);

static inline bool cl_placed_is_tiles(const cl_placed *p) { return p->shape->kind == CL_TILES; }

/// A local point, in world units. Without rotation it is exactly the rounded sum of the two
/// doubles.
static inline cl_vec cl_placed_point(const cl_placed *p, cl_vec v) {
  cl_vec turned = cl_rot_apply(p->rot, v);
  return (cl_vec){p->x + turned.x, p->y + turned.y};
}

/// Vertex `i` of the shape's arrays in world units.
static inline cl_vec cl_placed_vertex(const cl_placed *p, uint32_t i) {
  return cl_placed_point(p, (cl_vec){p->shape->vx[i], p->shape->vy[i]});
}

/// The number of the member that a part belongs to, 0 for shapes without members and for tiles.
uint32_t cl_shape_member_at(const cl_shape *shape, uint32_t part);

/// The member of a shape with the same name, or without names the same number, as a member of
/// another shape; or 0.
uint32_t cl_shape_member_like(const cl_shape *shape, const cl_shape *other, uint32_t member);

/// Bounds of one part in world units. They contain every placed vertex to the bit, as the bounds of
/// the whole do; adding the radius rounds but keeps the order, so shapes that overlap or touch
/// always have bounds that do.
cl_bounds cl_placed_part_bounds(const cl_placed *p, uint32_t part);

/// Whether a part is an upright rectangle, which its bounds then describe exactly.
static inline bool cl_placed_part_is_box(const cl_placed *p, uint32_t part) {
  return (p->shape->parts[part].flags & CL_PART_BOX) && cl_rot_is_none(p->rot);
}

/// Whether the whole shape is one such rectangle.
static inline bool cl_placed_is_one_box(const cl_placed *p) {
  return cl_shape_is_box(p->shape) && cl_rot_is_none(p->rot);
}

/// The bounds, in world units, of a box in the shape's frame, grown by `error`.
cl_bounds cl_placed_box(const cl_placed *p, const cl_bounds *box, double error);

/// A bound on how far rounding moves a point of the shape when it is placed, or
/// brought back into the shape's frame; world units.
static inline double cl_placed_error(const cl_placed *p) {
  return CL_SEPARATION_ERROR * (fabs(p->x) + fabs(p->y) + p->shape->reach);
}

/// Goes through the parts whose placed bounds may touch a box in world units. It misses none of
/// those that do.
cl_within cl_within_placed(const cl_placed *p, cl_bounds box);

// --- making shapes: only in geom/ ---

/// A shape while it is being filled, and how many parts and vertices it has so far.
typedef struct cl_build {
  cl_shape *shape; ///< NULL when there was no memory
  uint32_t next_part, next_vertex;
} cl_build;

/// The most parts, vertices, outline points or members of a shape: 2^30, so that three times as
/// many still fit a uint32_t.
#define CL_SHAPE_MOST ((uint32_t)1 << 30)

/// How much a shape has room for: `vertices` is the sum of cl_build_padded over all parts, `bytes`
/// that of the lengths of `names` names.
typedef struct cl_build_size {
  uint64_t parts, vertices, outline, members, names, bytes;
} cl_build_size;

/// A new shape of this size. It has one reference; only the kind, the flags, the counts and the
/// allocator are set. `shape` is NULL when out of memory or beyond CL_SHAPE_MOST.
cl_build cl_build_new(const cl_alloc *alloc, cl_shape_kind kind, uint32_t flags,
                      cl_build_size size);

/// How many elements of the arrays a part of `count` vertices takes.
static inline uint32_t cl_build_padded(uint32_t count) { return (count + 3) & ~3u; }

/// Adds a part with these vertices (in the positive order); computes normals,
/// bounds and reach. `inner`: a flag for each edge, or NULL for none.
void cl_build_part(cl_build *build, const cl_vec *vertices, uint32_t count, double radius,
                   const uint8_t *inner);

/// Called when all parts are there: joins their bounds and reach into the shape's and makes their
/// tree.
void cl_build_finish(cl_build *build);

/// Area of a convex part.
double cl_area_convex(const cl_vec *vertices, uint32_t count, double radius);

/// The arrays of `n` vertices of a shape: five, one after the other.
static inline void cl_shape_place_arrays(cl_shape *s, double *arrays, size_t n) {
  s->vx = arrays, s->vy = s->vx + n;
  s->nx = s->vy + n, s->ny = s->nx + n;
  s->line = s->ny + n;
}

#endif
