// collide, MIT licence (see LICENSE)
//
// The one header for programs in C: shapes, grids of bytes, bitmaps, worlds, queries, and pools
// of bullets. Link with build/libcollide.a (`make lib`) and -lm. examples/c/ has a program.
//
// Lengths are in world units, angles in radians, times in seconds. x grows to the right and y
// downwards, as on a screen; a positive angle turns from x towards y. Nothing depends on where
// y points.
//
// Nothing here is global. Every object has its allocator; a call that runs out of memory returns
// CL_NOMEM or NULL and leaves everything as it was. Arguments outside the range in a comment
// return CL_INVALID where the comment says so; elsewhere they fail an assertion. An object, and
// the shapes and grids that it refers to, may be used by one thread at a time.
//
// A call takes at most 64 KB of stack, plus what the allocator takes, in an optimised build;
// without optimisation at most 128.
//
// Every number that comes back is the same to the bit on every machine, compiler and
// optimisation level.

#ifndef CL_COLLIDE_H
#define CL_COLLIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- version --------------------------------------------------------------------------------

/// The version of this header: "1.2.3" in a release, "scm" between two. Nothing else states it.
#define CL_VERSION "scm"

/// The version of the library.
const char *cl_version(void);

// ---- memory ---------------------------------------------------------------------------------

/// CL_OK, or why nothing was done.
typedef enum cl_status {
  CL_OK = 0,
  CL_NOMEM,   ///< the allocator returned NULL
  CL_INVALID, ///< an argument is outside what the function's comment allows
} cl_status;

/// One function for all memory, like lua_Alloc: `size` 0 frees `p` and returns NULL; otherwise `p`
/// (NULL for new memory, else of `old` bytes) is resized. NULL for a size above 0 means that there
/// is no memory, and `p` is then unchanged. Shrinking must not fail.
typedef struct cl_alloc {
  void *(*resize)(void *user, void *p, size_t old, size_t size);
  void *user;
} cl_alloc;

/// The C library's realloc and free.
cl_alloc cl_alloc_default(void);

// ---- places ---------------------------------------------------------------------------------

/// Largest absolute coordinate and size, in world units. Differences of four
/// powers of it stay far from the largest double, so nothing overflows.
#define CL_MAX_COORD 1e12

/// Smallest size (width, height, radius, side of a cell), in world units. Coordinates of shapes
/// that are nearer to 0 become 0. For placed corners that come nearer, plain doubles decide; where
/// they cannot, the coordinate counts as 0. So decisions are exact for all valid shapes.
#define CL_MIN_SIZE 1e-60

/// Largest absolute angle, in radians: 2^30. Beyond it the doubles lie so far
/// apart (2e-7 rad) that an angle means little, and the reduction by multiples
/// of pi/2 is proven only up to here.
#define CL_MAX_ANGLE 1073741824.0

typedef struct cl_vec {
  double x, y;
} cl_vec;

/// A rotation by its cosine and sine.
typedef struct cl_rot {
  double c, s;
} cl_rot;

/// Left, top, right, bottom (l <= r, t <= b), world units.
typedef struct cl_bounds {
  double l, t, r, b;
} cl_bounds;

// ---- grids of bytes -------------------------------------------------------------------------

/// The most cells of a grid: 2^31 bytes.
#define CL_GRID_MOST INT64_C(2147483648)

/// Coordinates of rays lie within ± this many cells, 2^50, so that a double represents every
/// cell and its boundaries exactly.
#define CL_MAX_CELL 1125899906842624.0

/// A byte for each cell of a rectangle, or in 3D of a box. Cell i of an axis lies between
/// origin + i * cell and origin + (i + 1) * cell. Shared by counting references.
typedef struct cl_grid cl_grid;

/// A grid of zeros with one reference. `size` has `dims` (2 or 3) numbers from 1, whose product is
/// at most CL_GRID_MOST; `cell` has the edges of a cell in world units, above 0; `origin` is the
/// lowest corner of cell 0, 0 (, 0). CL_INVALID for other sizes; `out` is written only on CL_OK.
cl_status cl_grid_new(const cl_alloc *alloc, int dims, const int64_t size[], const double cell[],
                      const double origin[], cl_grid **out);
cl_grid *cl_grid_retain(cl_grid *grid);
void cl_grid_release(cl_grid *grid);

/// Writes how many cells there are along each axis (1 along z in 2D); returns 2 or 3.
int cl_grid_size(const cl_grid *grid, int64_t size[3]);

/// The byte of a cell, which must be in the grid; `cell` is x, y, z, with z 0 in 2D.
uint8_t cl_grid_get(const cl_grid *grid, const int64_t cell[3]);
void cl_grid_set(cl_grid *grid, const int64_t cell[3], uint8_t value);

/// Sets all cells from `low` on, `size` of them along each axis (in 2D 1 along z). All must be in
/// the grid.
void cl_grid_fill(cl_grid *grid, const int64_t low[3], const int64_t size[3], uint8_t value);

/// Sets all cells, a byte for each: x fastest, then y, then z.
void cl_grid_load(cl_grid *grid, const void *bytes);

/// A world coordinate of one axis in cells: (v - origin) / cell, rounded once.
double cl_grid_to_cells(const cl_grid *grid, int axis, double v);

/// Where a ray meets the first cell that stops it.
typedef struct cl_grid_hit {
  int64_t cell[3];
  double normal[3]; ///< unit vector out of the face, edge or corner; 0 at the start
  double t;         ///< fraction of the way, 0 … 1
  uint8_t value;
} cl_grid_hit;

/// Whether the segment between two points, in cells and within ±CL_MAX_CELL, meets a cell of the
/// grid with `stops[value]`: the first in the order of cl_cells_on_ray. Exact. Nothing outside the
/// grid stops the ray.
bool cl_grid_cast(const cl_grid *grid, const double from[], const double to[],
                  const bool stops[256], cl_grid_hit *hit);

/// Whether a circle of `radius` > 0 that moves between two points of a 2D grid overlaps only cells
/// of value 0 on its way: world units, the points and the radius within CL_MAX_CELL cells. Touching
/// is no overlap, and outside the grid nothing is in the way. Exact for the doubles given, where
/// line i of an axis is the double origin + i * cell. Lengths below 1e-60 cells count as 0; a
/// smaller radius counts as 1e-60.
bool cl_grid_is_clear(const cl_grid *grid, const double from[2], const double to[2], double radius);

/// Called for a cell on a ray; true ends the ray. Steps count from 1, t is the fraction of the way
/// at which the ray enters the cell.
typedef bool cl_cell_visit(void *user, double step, const int64_t cell[3], double t);

/// Visits the unit cells that a segment between two points of `dims` (2 or 3) coordinates passes
/// through, in order, each named by its lowest corner. Returns whether a visit ended it. Exact for
/// points within ±CL_MAX_CELL. The first cell is the floor of the start; on each axis every whole
/// number that the segment reaches in the direction of travel is a boundary that it crosses.
/// Boundaries that are reached together are crossed together: the cells of such a corner share one
/// step and t, in the order x, y, xy (3D edge: the two sides in the order of the axes, then the
/// diagonal; corner: x, y, z, xy, xz, yz, xyz). With `diagonal` only the last of them is visited.
bool cl_cells_on_ray(int dims, const double from[], const double to[], bool diagonal,
                     cl_cell_visit *visit, void *user);

// ---- bitmaps --------------------------------------------------------------------------------

// Many shapes are painted into a bitmap, which then says whether another shape overlaps any of
// them. That takes time for each shape, not for each pair. A cell keeps how much of it is covered,
// or, in a conservative bitmap, one bit.
//
// The bitmap's w x h square cells cover 0 <= x < w * cell, 0 <= y < h * cell in world units. Only
// the part of a shape that lies there is painted and tested.
//
// Coverage: a rectangle covers the fraction of a cell that it overlaps, up to rounding. A circle
// covers 1 of a cell inside it, 0 of a cell outside it, and of a cell on its rim the fraction of
// samples x samples evenly spread points that lie in it. That is off by at most 1 / samples, or 2 /
// samples when the circle is smaller than a cell; summed over a whole circle, by 2 (r samples + 1)
// / samples^2 cells, with r in cells. A circle smaller than the distance between two samples may
// fall between them.
//
// Conservative: a shape paints every cell that it may touch. If two shapes (circles
// as the doubles given have them, rectangles from x to the double nearest x + w)
// share a point inside the bitmap, boundaries included, they share a painted cell.

/// The most cells on a side, and in all (2 GB of coverages); the most samples on a side of a cell;
/// the smallest cell in world units, below which places mean little.
#define CL_BITMAP_MAX_SIDE 65536
#define CL_BITMAP_MAX_CELLS (INT64_C(1) << 28)
#define CL_BITMAP_MAX_SAMPLES 64
#define CL_BITMAP_MIN_CELL 1e-12

typedef struct cl_bitmap_def {
  cl_alloc alloc;
  int32_t w, h;    ///< cells, 1 to CL_BITMAP_MAX_SIDE, in all to CL_BITMAP_MAX_CELLS
  double cell;     ///< side of a cell in world units, CL_BITMAP_MIN_CELL to CL_MAX_COORD
  int32_t samples; ///< on each side of a cell, 1 to CL_BITMAP_MAX_SAMPLES
  bool conservative;
} cl_bitmap_def;

typedef struct cl_bitmap cl_bitmap;

/// An empty bitmap, or NULL: no memory. It takes 1 bit a cell, and 8 bytes more unless it is
/// conservative; no function below allocates.
cl_bitmap *cl_bitmap_new(const cl_bitmap_def *def);
void cl_bitmap_free(cl_bitmap *bitmap);

/// The definition that the bitmap was made with.
cl_bitmap_def cl_bitmap_measures(const cl_bitmap *bitmap);

/// Removes everything painted, in time proportional to it, however large the bitmap is.
void cl_bitmap_clear(cl_bitmap *bitmap);

/// Paint a shape: coordinates and sizes in world units, within CL_MAX_COORD; sizes
/// above 0. A cell keeps the largest coverage painted.
void cl_bitmap_add_circle(cl_bitmap *bitmap, double x, double y, double r);
void cl_bitmap_add_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h);

/// How much of a cell is covered, 0 to 1; in a conservative bitmap 0 or 1.
/// 0 <= col < w, 0 <= row < h.
double cl_bitmap_coverage(const cl_bitmap *bitmap, int32_t col, int32_t row);

/// Whether in some cell the coverage of the shape plus that of the cell is above `threshold`.
/// With a threshold of 1 or more, the two overlap in that cell.
bool cl_bitmap_test_circle(cl_bitmap *bitmap, double x, double y, double r, double threshold);
bool cl_bitmap_test_rectangle(cl_bitmap *bitmap, double x, double y, double w, double h,
                              double threshold);

// ---- shapes ---------------------------------------------------------------------------------

typedef enum cl_shape_kind {
  CL_RECTANGLE,
  CL_CIRCLE,
  CL_CAPSULE,
  CL_SEGMENT,
  CL_POLYGON,
  CL_CHAIN,
  CL_COMPOUND,
  CL_TILES, ///< the cells of a grid
} cl_shape_kind;

/// A shape is a value in the local frame of its actor: it never changes, and is shared by
/// counting references.
///
/// Every constructor takes world units, copies its arguments, writes `*out` only on CL_OK (the
/// caller then owns one reference) and returns CL_INVALID when a number is not finite, a
/// coordinate or size is beyond CL_MAX_COORD, or a size is below CL_MIN_SIZE. Coordinates nearer to
/// 0 than that become 0.
typedef struct cl_shape cl_shape;

/// x, y: the top left corner.
cl_status cl_shape_rectangle(const cl_alloc *alloc, double x, double y, double w, double h,
                             cl_shape **out);
/// x, y: the centre.
cl_status cl_shape_circle(const cl_alloc *alloc, double x, double y, double r, cl_shape **out);

/// The ends may be one point.
cl_status cl_shape_capsule(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           double r, cl_shape **out);
/// The ends must differ.
cl_status cl_shape_segment(const cl_alloc *alloc, double x1, double y1, double x2, double y2,
                           cl_shape **out);

/// What is wrong with a list of points. `i` and `j` count the points as given,
/// from 0.
typedef enum cl_fault_kind {
  CL_FAULT_NONE,
  CL_FAULT_NUMBER, ///< a coordinate of point i
  CL_FAULT_FEW,    ///< fewer different points than the shape needs
  CL_FAULT_FLAT,   ///< all points lie in a line: no area
  CL_FAULT_CROSS,  ///< the edges that begin at points i and j cross or touch
} cl_fault_kind;

typedef struct cl_fault {
  cl_fault_kind kind;
  uint32_t i, j;
} cl_fault;

/// `count` points x, y, x, y, …: the outline of a simple polygon, in either
/// direction, convex or not. Points equal to the one before are dropped. On
/// CL_INVALID `fault` says why. Takes time in proportion to count².
cl_status cl_shape_polygon(const cl_alloc *alloc, const double *xy, uint32_t count, cl_fault *fault,
                           cl_shape **out);
/// Segments from point to point, and with `closed` from the last to the first;
/// they may cross. At least two different points, closed three.
cl_status cl_shape_chain(const cl_alloc *alloc, const double *xy, uint32_t count, bool closed,
                         cl_fault *fault, cl_shape **out);
/// A name of any bytes.
typedef struct cl_name {
  const char *bytes;
  size_t length;
} cl_name;

/// Below 0 if a comes first in the order of bytes, 0 if they are equal.
int cl_name_compare(cl_name a, cl_name b);

/// One or more shapes; the compound takes a reference to each. CL_INVALID when some are upright and
/// others are not, for tiles, which have no parts, and for compounds nested deeper than
/// CL_SHAPE_LEVELS, since they are walked by recursion. A compound of upright shapes is upright.
enum { CL_SHAPE_LEVELS = 64 };
cl_status cl_shape_compound(const cl_alloc *alloc, cl_shape *const *members, uint32_t count,
                            cl_shape **out);
/// The same with a name for each. Names are copied. CL_INVALID also when they do not ascend.
cl_status cl_shape_compound_named(const cl_alloc *alloc, cl_shape *const *members,
                                  const cl_name *names, uint32_t count, cl_shape **out);

/// How cells of a value (1 … 255) look and act. Their shape, in place of a full square, is convex,
/// with at most CL_TILE_CORNERS corners and an area, in a cell of side 1 with its corner at 0, 0.
/// NULL: such cells are empty. Flags: CL_TILE_FULL_SQUARE in place of a shape; CL_TILE_SENSOR: they
/// stop no mover; else, with CL_TILE_OWN_WAY, `one_way` (as in cl_actor_def) overrides the actor's.
typedef struct cl_tile_look {
  uint8_t value;
  const cl_shape *shape;
  unsigned flags;
  cl_vec one_way;
} cl_tile_look;
enum { CL_TILE_CORNERS = 16 };
enum { CL_TILE_FULL_SQUARE = 1, CL_TILE_SENSOR = 2, CL_TILE_OWN_WAY = 4 };

/// The cells of a 2D grid that are not 0, at the places of the grid. The shape follows the grid. It
/// is for actors without an angle. `looks` are copied; the last one for a value counts. Keeps a
/// reference to the grid. CL_INVALID for a 3D grid, for an invalid look, beyond CL_MAX_COORD, or
/// where cells or looks are too small for doubles.
cl_status cl_shape_tiles(const cl_alloc *alloc, cl_grid *grid, const cl_tile_look *looks,
                         uint32_t count, cl_shape **out);

/// Shapes are shared by counting references; the last release frees. Counting is
/// not atomic: a shape stays within one thread.
cl_shape *cl_shape_retain(cl_shape *shape);
void cl_shape_release(cl_shape *shape);

/// New shapes: CL_INVALID when a result would not be a valid shape. All keep
/// `upright`. A rectangle turned by an angle other than 0 becomes a polygon.
cl_status cl_shape_translated(cl_shape *shape, double dx, double dy, cl_shape **out);
/// |angle| <= CL_MAX_ANGLE, about 0, 0.
cl_status cl_shape_rotated(cl_shape *shape, double angle, cl_shape **out);
/// About 0, 0; below 0 mirrors. CL_INVALID for a scale of 0, and for |sx| != |sy|
/// of a round shape.
cl_status cl_shape_scaled(cl_shape *shape, double sx, double sy, cl_shape **out);
/// Translated so that the middle of its bounds is at 0, 0.
cl_status cl_shape_centered(cl_shape *shape, cl_shape **out);
/// The same shape, but ignoring the angle of its actor.
cl_status cl_shape_upright(cl_shape *shape, cl_shape **out);
/// Part `index` (0-based) as a convex shape of its own.
cl_status cl_shape_part(cl_shape *shape, uint32_t index, cl_shape **out);

/// Points as the user gave them (repeated ones dropped): the four of a rectangle, the centre of a
/// circle, those of a compound's members, one member after another. Shared members count each time,
/// so there may be more points than memory could hold.
uint64_t cl_shape_point_count(const cl_shape *shape);
cl_vec cl_shape_point(const cl_shape *shape, uint64_t index);

cl_shape_kind cl_shape_kind_of(const cl_shape *shape);

/// The sum over all parts: overlaps of a compound's members count twice.
double cl_shape_area(const cl_shape *shape);

/// The radius of a circle or capsule; 0 for shapes with corners.
double cl_shape_radius(const cl_shape *shape);

/// The number of convex parts of a shape.
uint32_t cl_shape_part_count(const cl_shape *shape);

/// The members of a shape are numbered from 1: those of a compound (of nested ones, the outermost),
/// the segments of a chain, and the values of tiles, each with all its cells. Other shapes have
/// none. As a member's number, 0 stands for none.
uint32_t cl_shape_member_count(const cl_shape *shape);

/// The name of a member; its bytes are NULL if it has none. It lives as long as the shape.
cl_name cl_shape_member_name(const cl_shape *shape, uint32_t member);

// ---- two shapes -----------------------------------------------------------------------------

/// `shape` at x, y (world units), turned about that point by `rot`, without a reference.
typedef struct cl_placed {
  const cl_shape *shape;
  double x, y;
  cl_rot rot;
} cl_placed;

/// Places a shape at an angle in radians, |angle| <= CL_MAX_ANGLE, which an upright shape ignores.
cl_placed cl_place(const cl_shape *shape, double x, double y, double angle);

/// Bounds of the whole shape: exact for vertices, to within rounding for round parts.
cl_bounds cl_placed_bounds(const cl_placed *p);

/// Whether the closed shape contains the point, exactly.
bool cl_placed_contains(const cl_placed *p, double x, double y);

// Two convex shapes overlap when 0, 0 lies inside the Minkowski difference
// second - first: in its interior, or with `touching` in the closed set. The
// decision is exact for the doubles of the placed vertices and radii, and so the
// same from either side. Depth is the distance from 0, 0 to the boundary, and the vector is the
// direction of its nearest point: the unit vector along which the first gets free. Both are
// accurate to 2^-48 of the coordinates.
//
// Shapes of several parts overlap if any parts do, or if a segment or point lies on a cut with area
// all round it, or if chains cross right at a corner. The way out is the shortest that frees the
// first from the whole of the second. If more than some thousand pairs of parts overlap, it still
// frees, but need not be the shortest: the search takes a fixed number of steps.
//
// Swapping the shapes gives the reversed vector and the same depth to the bit; mirrors and quarter
// turns of the two give the mirrored or turned vector. Among directions with the same depth,
// geometry chooses: the one nearest to an axis; of images of each other, along x before y, then -x
// or -y
//   for the narrower of two upright rectangles, else for the one that is farther left or up
//   for a box in tiles; then an inner corner: in the nearest row, and there the leftmost
//   for the smaller of concentric circles
//   for all others, for the shape that is nearer to 0, 0, or smaller, if the two differ in this;
//   images of the two may have another of these directions.
// If the two are equal and at one place, for the first.

/// The way the FIRST gets free: a unit vector, and the distance >= 0, world units.
typedef struct cl_hit {
  double nx, ny, depth;
} cl_hit;

/// `out` (may not be NULL) is written only when the answer is true.
bool cl_overlap(const cl_placed *a, const cl_placed *b, bool touching, cl_hit *out);

/// Whether they overlap, or with `touching` touch: as cl_overlap, without computing a way out.
bool cl_overlaps(const cl_placed *a, const cl_placed *b, bool touching);

/// A distance in world units, and the nearest points.
typedef struct cl_gap {
  double distance;
  cl_vec a, b;
} cl_gap;

/// 0 exactly when cl_overlap with `touching` is true (if no part is smaller than 1e-10 of the
/// coordinates, since rounding bends smaller parts): then both points are the same, where the
/// shapes touch. Otherwise above 0, accurate to 2^-48 of the coordinates, and the same from either
/// side. At worst, takes time in proportion to the pairs of parts; looks at all cells of tiles if
/// nothing is nearer.
cl_gap cl_distance(const cl_placed *a, const cl_placed *b);

/// From a point to a shape, 0 when the closed shape contains it.
double cl_distance_point(const cl_placed *p, double x, double y);

/// The first touch: at fraction t of the way (0 … 1), at the point x, y (world units), where the
/// outward unit normal of the shape that was hit is nx, ny.
typedef struct cl_cast {
  double t, x, y, nx, ny;
} cl_cast;

/// Whether `a` (not tiles), moved by d without turning, touches `b` before or at the end of the
/// way. A touch is enough; whether there is one is decided exactly for the placed vertices and the
/// translation. An overlap at the start gives t = 0 and the normal 0, 0; shapes that touch at the
/// start hit only if `a` moves inward. At t the gap or overlap of the two is at most 2^-47 of
/// (coordinates + length of the way). `out` is written only when true. Takes time in proportion to
/// the pairs of parts that may meet and to the cells on the way.
bool cl_cast_shape(const cl_placed *a, cl_vec d, const cl_placed *b, cl_cast *out);

/// The same for a point that moves from x1, y1 to x2, y2.
bool cl_cast_ray(double x1, double y1, double x2, double y2, const cl_placed *b, cl_cast *out);

/// The member of `b` that a cast has met: a cast of `a` along d, or of a point if `a` is NULL, with
/// the result `c`. Of several that it met alike, the first; if it began inside, the one with the
/// convex part that it is deepest in.
uint32_t cl_cast_member(const cl_placed *a, cl_vec d, const cl_placed *b, const cl_cast *c);

/// A point midway between the two surfaces (world units), the unit vector along which the FIRST
/// gets free there, how deep they overlap along it, and which members of both meet there. For tiles
/// also the cell, and its value.
typedef struct cl_contact {
  double x, y, depth, nx, ny;
  uint32_t member, other;
  bool is_tile;
  uint8_t value;
  int32_t column, row;
} cl_contact;

/// The most entries that there are.
enum { CL_CONTACTS_MOST = 256 };

/// Writes where two shapes meet, with normals that free `a`, and returns the number of entries; 0
/// without overlap. There are one or two points (the ends of the common stretch if edges lie along
/// each other), the same from either side. Against tiles there is an entry for each face of a cell
/// (of two tiles, a cell of `b`); if the shape is so deep that it meets no face, one with the way
/// out of the whole. Beyond CL_CONTACTS_MOST only the first in the order of rows are written.
int cl_contacts(const cl_placed *a, const cl_placed *b, bool touching,
                cl_contact out[CL_CONTACTS_MOST]);

/// Two members that overlap (0 for a shape without members), and the depth: as cl_overlap of the
/// two alone. A member of tiles is all cells of a value.
typedef struct cl_member_overlap {
  uint32_t member, other;
  double depth;
} cl_member_overlap;

/// Of `count`, with room for `cap`.
typedef struct cl_member_list {
  cl_member_overlap *at;
  size_t count, cap;
} cl_member_list;

/// All pairs of members that overlap, or with `touching` touch, the deepest first, equally deep
/// ones by their numbers; not for two shapes of tiles. One limit of work holds for all ways out
/// together: with very many parts, a depth may be larger than the shortest. The caller frees the
/// list.
cl_status cl_member_overlaps(const cl_alloc *alloc, const cl_placed *a, const cl_placed *b,
                             bool touching, cl_member_list *out);
void cl_member_list_free(const cl_alloc *alloc, cl_member_list *list);

// ---- broad phases ---------------------------------------------------------------------------

/// Ways to find the pairs worth a closer look. All lead to the same hits, in the same order.
typedef struct cl_broad_class cl_broad_class;
extern const cl_broad_class cl_broad_auto;        ///< brute force for a handful, else the grid
extern const cl_broad_class cl_broad_brute;       ///< every box against every other
extern const cl_broad_class cl_broad_grid;        ///< cells for each class of sizes
extern const cl_broad_class cl_broad_incremental; ///< a quadtree that is kept from step to step
extern const cl_broad_class cl_broad_quadtree;    ///< a linear quadtree, rebuilt each step
extern const cl_broad_class cl_broad_loose;       ///< the same with cells that have a margin

/// The deepest level of a tree.
enum { CL_BROAD_MAX_DEPTH = 16 };

/// Left, top, right, bottom in floats, world units: contains the box in doubles that it was made
/// from.
typedef struct cl_fbox {
  float x0, y0, x1, y1;
} cl_fbox;

/// A cell with boxes, and their number; for pictures.
typedef struct cl_cell {
  cl_fbox box;
  uint32_t count;
} cl_cell;

/// Two numbers, a < b: slots, or places in a list of boxes.
typedef struct cl_pair {
  uint32_t a, b;
} cl_pair;

// ---- worlds ---------------------------------------------------------------------------------

// A world: actors with a shape and a place, stepped by a host. The host writes
// the places into arrays, calls cl_world_step, and reads from other arrays
// which calls to make. The core never calls the host.
//
// An actor is known by its slot, an index into all arrays below. Slots are
// given in ascending order, so their order is the order of adding. A removed actor's slot stays
// dead until a step moves later slots down over it, in the same order; see cl_world_moved.

enum {
  CL_MAX_GROUPS = 64,
  CL_NOWHERE = -1, ///< in cl_world_moved: this slot is gone
};

/// Bits of an actor's state, in cl_io.state.
enum {
  CL_LIVE = 1,    ///< in the world, not removed
  CL_STATIC = 2,  ///< does not move by itself: the host does not write its place
  CL_SENSOR = 4,  ///< stops no mover
  CL_ONE_WAY = 8, ///< stops movers only with faces within 60 degrees of where it looks
  CL_SWEPT = 16,  ///< also meets others on its way between two steps
  CL_AIMED = 32,  ///< is one-way, and looks in another direction than its local -y
  CL_MAP = 64,    ///< its shape is tiles, and it is not static
};

/// Which events an actor wants, and whether the host has yet to say so.
enum {
  CL_EVENT_HIT = 2,
  CL_EVENT_ENTER = 8,
  CL_EVENT_LEAVE = 32,
  CL_EVENT_UPDATE = 128, ///< not used by the core: kept for the host
  CL_EVENT_EVENTS = CL_EVENT_ENTER | CL_EVENT_HIT | CL_EVENT_LEAVE,
};

/// The calls of an event, in their order.
/// The first of the pair, a, is the one added earlier.
enum {
  CL_CALL_LEAVE_A = 32,
  CL_CALL_LEAVE_B = 16,
  CL_CALL_ENTER_A = 8,
  CL_CALL_ENTER_B = 4,
  CL_CALL_HIT_A = 2,
  CL_CALL_HIT_B = 1,
};

/// A pair of actors and the calls to make. (nx, ny) is the unit vector along
/// which `a` gets free by `depth` world units; it and depth are 0 in a leave. If the two met on
/// their way and are apart again, `t` is when they first touched, as a fraction of the step, 0 … 1,
/// and depth is 0; else `t` is -1.
typedef struct cl_event {
  double nx, ny, depth, t;
  uint32_t a, b; // slots
  uint32_t calls;
} cl_event;

/// A host says how far it has got with the events by the number of the last call that it began.
/// Event e (from 0) has the numbers from e * CL_CALL_NUMBERS + 1 on, for leave a, leave b or enter
/// a, enter b, hit a, hit b, whether the event has these calls or not. 0: none yet.
enum { CL_CALL_NUMBERS = 4 };

/// All calls of all events have been made.
#define CL_ALL_DISPATCHED 9007199254740992.0 // 2^53

/// The CL_CALL_ bits in cl_io.calls and cl_io.ended_calls; the other bits are the core's own.
enum { CL_CALLS = 63 };

/// The arrays that a host and a world share. They belong to the world and may move when an actor is
/// added or the world is stepped; this struct belongs to the host and always points to them.
typedef struct cl_io {
  // By slot; places in world units and radians. The host writes them for every actor that is
  // live and not static before each cl_world_step, within ±CL_MAX_COORD and ±CL_MAX_ANGLE; after
  // a step they are no longer valid.
  // `angle` is NULL as long as no actor has an angle: see cl_world_use_angles.
  cl_vec *place;
  double *angle;
  const uint8_t *state;
  uint32_t slots; // how many have been given, dead ones included

  // The last step's events, in the order of dispatch. The first `leaves` of them are indices of
  // ended contacts, the others indices of contacts. cl_event_of makes a cl_event of one.
  const uint32_t *event;
  uint32_t events, leaves;

  // The contacts and the ended contacts, ascending: pairs of slots, the way out of the first
  // (`hit`), and the calls. `time` has cl_event's t of all contacts; it is NULL when all are -1.
  const cl_pair *contact, *ended;
  const cl_hit *hit;
  const uint8_t *calls, *ended_calls;
  const double *time;
} cl_io;

/// Event number `e`, counted from 0.
static inline cl_event cl_event_of(const cl_io *io, uint32_t e) {
  uint32_t i = io->event[e];
  bool ended = e < io->leaves;
  cl_pair pair = ended ? io->ended[i] : io->contact[i];
  cl_event event = {0, 0, 0, -1, pair.a, pair.b, 0};
  event.calls = (ended ? io->ended_calls[i] : io->calls[i]) & CL_CALLS;
  if (ended) return event;
  event.nx = io->hit[i].nx;
  event.ny = io->hit[i].ny;
  event.depth = io->hit[i].depth;
  if (io->time) event.t = io->time[i];
  return event;
}

typedef struct cl_world_def {
  cl_alloc alloc;
  double width, height; ///< hint for the broad phase; 0 when not known
  const cl_broad_class *broad;
  unsigned depth; ///< of a tree; 0: chosen by the number of actors
  bool touching;  ///< whether shapes that only touch hit
  bool listed;    ///< no groups hit until cl_world_set_rule says so
} cl_world_def;

/// The properties of an actor. The world keeps a reference to the shape.
typedef struct cl_actor_def {
  cl_shape *shape;
  double x, y, angle;
  uint8_t group;
  bool fixed;     ///< static
  bool sensor;    ///< stops no mover
  bool swept;     ///< also meets others on its way between two steps
  cl_vec one_way; ///< unless 0, 0: it stops movers only with faces that look this way. Finite, of
                  ///< any length; turned with the actor
} cl_actor_def;

/// Sizes of the last step.
typedef struct cl_counts {
  uint32_t actors;
  size_t candidates, hits;
  const char *broad; ///< name of the broad phase that was used
} cl_counts;

typedef struct cl_world cl_world;

/// A new world that keeps `io` up to date until it is freed. NULL when there is
/// no memory.
cl_world *cl_world_new(const cl_world_def *def, cl_io *io);
void cl_world_free(cl_world *world);

/// If the next cl_world_add would need larger arrays: closes the gaps that removed actors have
/// left, as a step does, if there are many. So a world that is never stepped does not grow for
/// ever. Returns whether slots have moved, also those in cl_io.event; cl_world_moved says how.
bool cl_world_reclaim(cl_world *world);

/// Makes cl_io.angle, all 0 at first. Not between the halves of a step. Adding an actor with an
/// angle does the same.
cl_status cl_world_use_angles(cl_world *world);

/// Adds an actor and writes its slot to `slot`.
cl_status cl_world_add(cl_world *world, const cl_actor_def *def, uint32_t *slot);

/// Gives a live actor a new shape, place, group. This is a jump: its place in the step before is
/// forgotten. An angle other than 0 needs cl_world_use_angles first.
void cl_world_refresh(cl_world *world, uint32_t slot, const cl_actor_def *def);

/// Removes a live actor. `dispatched` is as in cl_world_step: how far the host has
/// got in the dispatch of the last step's events. Returns whether the actor may still have to get
/// `leave` for an ended contact: then its slot appears in events of the next step, though it is not
/// live in cl_io.state.
bool cl_world_remove(cl_world *world, uint32_t slot, double dispatched);

/// Two actors of which one names the other ignore each other: they never hit in a step, stop, push
/// or carry each other, whatever their groups and the filter of a move. cl_world_set_ignored first
/// clears the lists of the live actors in `slot`, which ascend; then the first of each of the
/// pairs, all live, names its second. It reorders the pairs. It holds from the next step or move
/// on, until one of the two is removed. Not between the halves of a step. CL_NOMEM: nothing has
/// changed; impossible after cl_world_reserve_ignored for as many pairs.
cl_status cl_world_set_ignored(cl_world *world, const uint32_t *slot, size_t count, cl_pair *pair,
                               size_t pairs);
cl_status cl_world_reserve_ignored(cl_world *world, size_t pairs);

/// Whether two actors ignore each other.
bool cl_world_ignores(const cl_world *world, uint32_t a, uint32_t b);

/// Sets which methods a live actor has: CL_EVENT_ bits, among those in `mask`. Not between the
/// halves of a step.
void cl_world_set_event_mask(cl_world *world, uint32_t slot, uint8_t mask, uint8_t events);

/// The slot of the first live actor at or after `from` whose event mask has any of
/// `events`, or the number of slots.
uint32_t cl_world_next_with_event(const cl_world *world, uint32_t from, uint8_t events);

/// The slot of the first live actor at or after `from` for which the host has not set all
/// event-mask bits in `mask` since it was added or refreshed, or the number of slots.
uint32_t cl_world_next_unread(const cl_world *world, uint32_t from, uint8_t mask);

/// Whether actors of two groups hit each other, and which of them get events: with
/// CL_HITS_FIRST only those of the first group.
typedef enum cl_hits { CL_HITS_NONE, CL_HITS_BOTH, CL_HITS_FIRST } cl_hits;

/// Sets how two groups hit from the next step on. CL_MAX_GROUPS in place of a group means all
/// groups, also those not yet in use.
void cl_world_set_rule(cl_world *world, unsigned a, unsigned b, cl_hits hits);
bool cl_world_can_hit(const cl_world *world, unsigned a, unsigned b);
uint8_t cl_world_group(const cl_world *world, uint32_t slot);

/// The groups that `group` hits: bit g for group g. And the groups whose hits give it events.
uint64_t cl_world_groups_hit(const cl_world *world, unsigned group);
uint64_t cl_world_groups_notified(const cl_world *world, unsigned group);

/// A live actor as it was last added or refreshed, at its present place. The shape belongs to
/// the world.
cl_actor_def cl_world_actor(const cl_world *world, uint32_t slot);

/// Whether two live actors that do not overlap at the places `to`, one of them swept, would meet on
/// their way there in a step. The values are as in cl_event.
bool cl_world_would_meet(const cl_world *world, cl_pair pair, const cl_placed to[2], cl_hit *hit,
                         double *t);

/// The event mask of a live actor, CL_EVENT_ bits; `unread` has the bits that the host has yet to
/// set.
uint8_t cl_world_event_mask(const cl_world *world, uint32_t slot, uint8_t *unread);

/// Whether a slot's actor is in the world, not removed; how many slots there are.
bool cl_world_has(const cl_world *world, uint32_t slot);
uint32_t cl_world_slots(const cl_world *world);

/// Takes the places from cl_io, finds all hits, and fills in cl_io.event. `dispatched` says how far
/// the host got with the last step's events; the rest come again. On CL_NOMEM the step has not
/// begun.
cl_status cl_world_step(cl_world *world, double dispatched);

/// A step in two halves, so that bullets can be stepped with the actors. The first half finds
/// the changes, the second makes them and cannot fail. Between the two the world must not
/// change. On CL_NOMEM the step has not begun; it may be begun again.
cl_status cl_world_begin_step(cl_world *world, double dispatched);
void cl_world_end_step(cl_world *world);

/// How the last step, or reclaiming since, moved the slots: NULL if it did not, otherwise an
/// array with the new slot of each of `count` old ones, never above the old one, or CL_NOWHERE.
const int32_t *cl_world_moved(const cl_world *world, uint32_t *count);

/// Removed actors that nothing refers to any more since the last step, by their slots after it:
/// the host can release them.
const uint32_t *cl_world_released(const cl_world *world, uint32_t *count);

/// Before a step: the first actor of tiles, not static, to which the host has given an angle other
/// than 0; the world may not be stepped then. CL_NOBODY if there is none.
uint32_t cl_world_turned_map(const cl_world *world);

cl_counts cl_world_counts(const cl_world *world);

/// Counts changes to the set of actors: additions, removals, refreshes and event masks. While it
/// stays the same, slots have the same actors.
uint64_t cl_world_edits(const cl_world *world);

/// Counts additions, removals, refreshes, steps and queries. While it stays the same, the lists
/// that the world has returned are valid.
uint64_t cl_world_changes(const cl_world *world);

/// The k-th hit of the last step, ascending by (first, second): slots and the
/// way the first gets free. False when one of the two has been removed since.
bool cl_world_hit(const cl_world *world, size_t k, cl_pair *pair, cl_hit *hit);

/// The same for one actor's hits, in the order of the others; `*count` is their number. On CL_NOMEM
/// it is not written. cl_world_hit_of needs a k below that number, and a call of cl_world_hits_of
/// after the last step.
cl_status cl_world_hits_of(cl_world *world, uint32_t slot, size_t *count);
size_t cl_world_hit_of(const cl_world *world, uint32_t slot, size_t k);

/// The broad phase's pairs of the last step, ascending, as slots, without pairs with a slot that
/// was reclaimed since.
void cl_world_candidates(const cl_world *world, const cl_pair **pairs, size_t *count);

/// The broad phase's cells, as cl_broad_class.cells.
size_t cl_world_cells(const cl_world *world, cl_cell *out, size_t cap);

/// A hash of the places (-0 as 0) of all actors and the hits of the last step, to the bit. Later
/// changes to actors do not change it.
uint64_t cl_world_hash(cl_world *world);

/// Whether the world is consistent: slots, marks and counts agree, proxies are where their
/// actors are, contacts ascend. It walks everything; checked builds assert it after each step.
/// Not between the halves of a step.
bool cl_world_is_valid(const cl_world *world);

// ---- snapshots ------------------------------------------------------------------------------

// A world at one moment, to restore: its actors with their places, now and in the step before, the
// rules of groups, the contacts of the last step, which of its calls have begun, and the cells of
// the grids of tiles. From there everything happens again, to the bit. The options of the world,
// its candidates and its proxies are not part of it.

/// A snapshot of a world. It keeps the shapes alive and shares the cells with the grid as long as
/// no cell is set. Snapshots share their list of actors as long as no actor is added, removed or
/// refreshed. A snapshot may outlive its world, but not the allocators of the two.
typedef struct cl_snapshot cl_snapshot;

/// An empty one; NULL without memory.
cl_snapshot *cl_snapshot_new(const cl_alloc *alloc);
void cl_snapshot_free(cl_snapshot *snapshot);

/// Fills a snapshot, which may come from any world. `dispatched` is as in cl_world_step. Not
/// between the halves of a step. CL_NOMEM: it has not changed.
cl_status cl_world_snapshot(cl_world *world, double dispatched, cl_snapshot *into);

/// The places of all actors by slot; writes the angles, or NULL, and the number of slots. The
/// arrays belong to the snapshot, until it is filled again.
const cl_vec *cl_snapshot_places(const cl_snapshot *snapshot, const double **angle,
                                 uint32_t *count);

/// Numbers its actors as packed bytes do. `number`, by slot, gets the numbers of live actors and of
/// removed ones with pending events, from 0 on in the order of slots, and CL_NOBODY for others.
/// Returns how many there are.
uint32_t cl_snapshot_number(const cl_snapshot *snapshot, uint32_t *number);

/// Restores the world from a snapshot of it, or of a world with the same `touching`: slots have the
/// same actors as then, and `*dispatched` its value. There are no events until the next step, which
/// has the pending ones again; there are no candidates. Not between the halves of a step. CL_NOMEM:
/// nothing has changed.
cl_status cl_world_restore(cl_world *world, const cl_snapshot *from, double *dispatched);

// ---- queries --------------------------------------------------------------------------------

// Queries see the world as of the last step, with everything that was added, refreshed or removed
// since. Touching counts everywhere.

/// The actors that a query considers: those of the groups in `groups`, bit g for group g, except
/// the `count` slots `ignored`, which ascend.
typedef struct cl_filter {
  uint64_t groups;
  const uint32_t *ignored;
  size_t count;
} cl_filter;

/// One of a query's answers. `distance` is set by cl_world_nearest (world units),
/// `cast` by the casts.
typedef struct cl_answer {
  uint32_t slot;
  double distance;
  cl_cast cast;
} cl_answer;

/// Answers belong to the world, until the next query. All functions return CL_OK
/// or CL_NOMEM; then they have written nothing.
typedef struct cl_answers {
  const cl_answer *at;
  size_t count;
} cl_answers;

/// All actors that contain the point, or overlap or touch `with`, in the order of adding.
cl_status cl_world_query_point(cl_world *world, double x, double y, cl_filter filter,
                               cl_answers *out);
cl_status cl_world_query_shape(cl_world *world, const cl_placed *with, cl_filter filter,
                               cl_answers *out);

/// All actors whose bounds may touch the box, in the order of adding.
cl_status cl_world_query_bounds(cl_world *world, cl_bounds box, cl_filter filter, cl_answers *out);

/// The `most` actors whose shapes are nearest to a point, nearest first, and at equal distance the
/// one added earlier first. Looks at all cells of tiles if nothing is nearer.
cl_status cl_world_nearest(cl_world *world, double x, double y, size_t most, cl_filter filter,
                           cl_answers *out);

/// The first actor on a straight way. Of several at once, one that the way begins in goes first,
/// then by the normals, with one along x before others, then the one added earliest. With `all`,
/// every actor, in that order. A ray goes from (x1, y1) to (x2, y2); with `mover`, that shape moves
/// from its place by the vector between the two points.
typedef struct cl_path {
  double x1, y1, x2, y2;
  const cl_placed *mover;
} cl_path;
cl_status cl_world_cast(cl_world *world, const cl_path *path, bool all, cl_filter filter,
                        cl_answers *out);

/// The name of a member of a live actor's shape, as cl_shape_member_name.
cl_name cl_world_member_name(const cl_world *world, uint32_t slot, uint32_t member);

/// The member of an actor's shape that this cast met, as cl_cast_member; `answer` is the cast's.
uint32_t cl_world_cast_member(cl_world *world, const cl_path *path, const cl_answer *answer);

// ---- moving ---------------------------------------------------------------------------------

// Moving one actor against others: it stops at, slides along, bounces off, pushes or crosses what
// it meets, and ends where it overlaps nothing that stopped it. A move is computed first, by
// cl_world_move, and committed afterwards, so a move that is abandoned has changed nothing.

/// In place of a slot: no actor.
#define CL_NOBODY UINT32_MAX

/// What a mover does at a surface.
typedef enum cl_response {
  CL_RESPONSE_NONE,   ///< passes, unseen
  CL_RESPONSE_SLIDE,  ///< goes on along the surface
  CL_RESPONSE_TOUCH,  ///< stops
  CL_RESPONSE_BOUNCE, ///< is reflected by the surface
  CL_RESPONSE_CROSS,  ///< passes, and is reported
  CL_RESPONSE_PUSH,   ///< moves the other out of the way, then slides
  CL_RESPONSES,
} cl_response;

/// Limits of a move: turns of more than one degree, surfaces met, pushes out of an overlap at
/// the start, movers in a chain of pushes. The work for each actor that the mover may meet is
/// limited too; only shapes of very many parts reach that limit. Then the mover stays where it was
/// at the start, crushed if it is known to be inside something, or stops where it is free.
enum { CL_MOVE_TURNS = 8, CL_MOVE_SURFACES = 64, CL_MOVE_PUSHES = 8, CL_MOVE_CHAIN = 8 };

/// A question to the host: what is the response of `mover` to `other`, which it meets with the
/// normal nx, ny (0, 0 if it starts inside)? `value` is the value of the cell for tiles, else -1.
typedef struct cl_move_ask {
  uint32_t mover, other;
  double nx, ny;
  int32_t value;
  bool sensor;
} cl_move_ask;

/// The answer. Meanwhile the host may query the world, but not change it. It may leave by longjmp
/// instead of returning: then the move is abandoned. In a move, but not in a turn, it may also
/// return CL_RESPONSE_LATER: then cl_world_move returns, and the move waits for the answer, or is
/// abandoned.
#define CL_RESPONSE_LATER CL_RESPONSES
typedef cl_response cl_responder(void *context, const cl_move_ask *ask);

/// `by_rules`: the rules of groups decide which actors stop a mover, and `filter` only has the
/// ignored actors. `responder` chooses the response to each other actor, with `asks_sensors` also
/// to sensors. Without it the response is `response`, and CL_RESPONSE_CROSS for sensors. Where a
/// response stops it, a mover does `instead`, but the response is reported.
typedef struct cl_move_def {
  uint32_t slot;
  uint32_t through;   ///< 1 + the slot of an actor whose one-way faces do not stop it; 0: none
  double x, y, angle; ///< the mover's place now
  double dx, dy;      ///< world units
  cl_filter filter;
  bool by_rules, asks_sensors;
  cl_response response, instead; ///< `instead` may be CL_RESPONSE_NONE: it does what is reported
  cl_responder *responder;       ///< NULL: none is asked
  void *context;
} cl_move_def;

/// An actor that the first mover met, in order: the normal of the surface, the mover's place, the
/// point touched, the fraction t of the time. `inside`: the mover started inside; `crushed`: and
/// was not freed. For tiles the cell and its value, else -1. `member`: the member of the actor's
/// shape that was met.
typedef struct cl_move_hit {
  uint32_t slot, member;
  cl_vec normal, at, point;
  double t;
  int32_t column, row, value;
  uint8_t response;
  bool inside, crushed;
} cl_move_hit;

/// The new place of an actor.
typedef struct cl_moved {
  uint32_t slot;
  cl_vec to;
} cl_moved;

/// The result of the last finished move; the arrays belong to the world, until its next move.
/// The first of `moved` is the mover; then come the actors that it pushed.
typedef struct cl_move_result {
  const cl_move_hit *hit;
  const cl_moved *moved;
  size_t hits, moves;
} cl_move_result;

/// Whether a slot's actor can be moved: it is live and its shape is not tiles.
bool cl_world_can_move(const cl_world *world, uint32_t slot);

/// Computes a move of an actor that can be moved, from a place within ±CL_MAX_COORD, by a finite
/// vector. It ends within that range, however long the vector is. Not between the halves of a step.
/// CL_NOMEM: nothing has changed. cl_world_move_result and cl_world_move_commit need a computed
/// move.
cl_status cl_world_move(cl_world *world, const cl_move_def *def);
cl_move_result cl_world_move_result(const cl_world *world);

/// Writes the new places of all actors that were moved. CL_NOMEM: nothing has changed.
cl_status cl_world_move_commit(cl_world *world);

/// Whether the last move waits for the answer to its last question; goes on with the answer.
bool cl_world_move_waits(const cl_world *world);
cl_status cl_world_move_on(cl_world *world, cl_response said);

/// The most that an actor turns at once, in radians: 16 pi.
#define CL_MAX_TURN 50.26548245743669

/// How far a turn has come. While `pushed` is not CL_NOBODY, the host has to move that actor by
/// `way`, with its world's rules but through the turning actor, and the turn then goes on at the
/// angle `trial`. If the pushed actor is still in the way, the turn ends before it, and the host
/// puts back everything that the last `put_back` pushes moved. The hits belong to the world, until
/// its next turn.
typedef struct cl_turn_result {
  const cl_move_hit *hit;
  size_t hits;
  double angle, trial;
  uint32_t pushed;
  cl_vec way;
  int put_back;
} cl_turn_result;

/// Computes a turn of an actor that can be moved, about its place, by an angle within ±CL_MAX_TURN,
/// to an angle within ±CL_MAX_ANGLE. It ends before the first overlap with an actor that stops it,
/// which a turn of at most 2^-20 more would reach. Actors that it overlaps at the start, and
/// one-way actors, do not stop it; an upright shape meets nothing. dx, dy and `instead` of `def`
/// are not used, and every response that stops a mover, except CL_RESPONSE_PUSH, ends the turn. A
/// turn that takes too much work, with shapes of very many parts, ends where it is. Nothing in the
/// world changes; cl_world_move_to writes the angle. CL_NOMEM: the turn is abandoned.
cl_status cl_world_turn(cl_world *world, const cl_move_def *def, double by);

/// Goes on after `pushed` was moved; `context` is the responder's from now on.
cl_status cl_world_turn_on(cl_world *world, void *context);
cl_turn_result cl_world_turn_result(const cl_world *world);

/// The place of a live actor in the world, and its angle.
cl_vec cl_world_place(const cl_world *world, uint32_t slot, double *angle);

/// Puts a live actor in another place within ±CL_MAX_COORD, at once: a jump, as cl_world_refresh.
/// An angle other than 0 needs cl_world_use_angles first. Not between the halves of a step.
void cl_world_put(cl_world *world, uint32_t slot, cl_vec at, double angle);

/// The same, as a motion from its place after the last step. CL_NOMEM: nothing has changed.
cl_status cl_world_move_to(cl_world *world, uint32_t slot, cl_vec at, double angle);

/// Everything that these two functions change in a live actor: where it is, where it was before the
/// last step, and, if `moved_after` is not 0, where a move took it from.
typedef struct cl_whereabouts {
  cl_vec at, before, from;
  double angle, angle_before, from_angle;
  uint32_t moved_after;
} cl_whereabouts;
cl_whereabouts cl_world_whereabouts(const cl_world *world, uint32_t slot);

/// Undoes their changes since `was`, in the same interval between two steps.
void cl_world_put_back(cl_world *world, uint32_t slot, const cl_whereabouts *was);

/// Where the last step moved a live actor from and to, including moves before the step, if nothing
/// has been written to cl_io's places since. Both are the same for an actor that was added or has
/// jumped, and for a static actor that was not moved.
typedef struct cl_motion {
  cl_vec from, to;
  double from_angle, to_angle;
} cl_motion;
cl_motion cl_world_motion(const cl_world *world, uint32_t slot);

/// The actors that touch a live actor's upper side, in the order of adding, without statics and
/// sensors. A side looks up if its normal is within 60 degrees of -y. Of `cast`, only that normal
/// is written.
cl_status cl_world_riders(cl_world *world, uint32_t slot, cl_answers *out);

/// The actors that pass `filter` and that a live actor pushes ahead when it moves by `way`, in
/// the order of adding. Statics and sensors are not pushed, and a
/// one-way actor pushes only where it looks. Of `cast`, nx and ny are how far each is pushed.
cl_status cl_world_in_the_way(cl_world *world, uint32_t slot, cl_vec way, cl_filter filter,
                              cl_answers *out);

/// The first actor, in the order of adding and from slot `from` on, that `placed` would overlap;
/// CL_NOBODY if it fits. Sensors, one-way actors, and actors that the actor `as` ignores (unless
/// `as` is CL_NOBODY) do not count. Touching fits.
cl_status cl_world_fits(cl_world *world, uint32_t as, const cl_placed *placed, cl_filter filter,
                        uint32_t from, uint32_t *other);

/// Whether a shape overlaps a live actor that is not one-way; for a map, cells that are neither
/// one-way nor sensors.
bool cl_world_is_in_walls(cl_world *world, uint32_t slot, const cl_placed *placed);

/// The groups that an actor hits by the rules, bit g for group g.
uint64_t cl_world_hit_groups(const cl_world *world, uint32_t slot);

// ---- bullets --------------------------------------------------------------------------------

// Pools of bullets: circles that fly straight, accelerate evenly or steer, and lasers,
// polylines with a width. They fly among the actors of a world. The world does not know them:
// the host steps the pools with the world.
//
// A bullet has a number. Numbers count the spawns of all pools from 1. So numbers are never reused,
// are in the order of spawning, and those of dead bullets or of other pools are recognised.

/// Largest capacity of a pool.
enum { CL_MAX_BULLETS = 1 << 24 };

/// All pools of a world, and one of them.
typedef struct cl_pools cl_pools;
typedef struct cl_bullets cl_bullets;

/// An empty set of pools, for bullets among the actors of `world`, which has to live as long. NULL
/// when there is no memory. Freeing it frees its pools.
cl_pools *cl_pools_new(const cl_alloc *alloc, cl_world *world);
void cl_pools_free(cl_pools *pools);

/// Which events of a pool a host wants.
enum {
  CL_BULLET_EVENT_HIT = 1,
  CL_BULLET_EVENT_GRAZE = 2,
  CL_BULLET_EVENT_EXPIRED = 4,
  CL_BULLET_EVENT_TIMER = 8
};

typedef struct cl_bullets_def {
  uint32_t capacity; ///< 1 … CL_MAX_BULLETS, lasers included
  double radius;     ///< of a bullet when it is spawned, > 0
  double graze;      ///< actors within this distance of a bullet's centre are grazed; 0: none
  uint8_t group;
  cl_bounds bounds; ///< a bullet whose centre is outside expires
  double lifetime;  ///< seconds, accurate to 1e-9 of it; INFINITY: for ever
  bool pierce;      ///< a hit does not end a bullet
  bool bullets;     ///< hits bullets of other pools, too
} cl_bullets_def;

/// A bullet's state, world units and seconds. A laser's place is its first point,
/// its radius half of its width.
typedef struct cl_bullet {
  double x, y, vx, vy, ax, ay, radius, tag;
  double age; ///< seconds; 0 in a pool without a lifetime
  double length;
  double tail_x, tail_y; ///< where its tail ends; without a length, x, y
} cl_bullet;

/// Which fields cl_bullets_set changes.
enum {
  CL_BULLET_X = 1,
  CL_BULLET_Y = 2,
  CL_BULLET_VX = 4,
  CL_BULLET_VY = 8,
  CL_BULLET_AX = 16,
  CL_BULLET_AY = 32,
  CL_BULLET_RADIUS = 64,
  CL_BULLET_TAG = 128,
  CL_BULLET_LENGTH = 256,
  CL_BULLET_PLACE = CL_BULLET_X | CL_BULLET_Y,
};

/// Where the round bullets of a pool are: `count` of them without gaps in the order of spawning.
/// Valid until the pool changes.
typedef struct cl_bullets_io {
  const double *x, *y, *vx, *vy, *radius, *tag, *number;
  uint32_t count;
} cl_bullets_io;

/// A new pool, which lives as long as `pools`. CL_NOMEM, or CL_OK.
cl_status cl_bullets_new(cl_pools *pools, const cl_bullets_def *def, cl_bullets **out);

/// The definition that a pool was made with.
cl_bullets_def cl_bullets_def_of(const cl_bullets *pool);

/// Removes a pool with its bullets and their events. Pools made later move up.
void cl_bullets_free(cl_bullets *pool);

/// Sets which events there are from the next step on: CL_BULLET_EVENT_ bits.
void cl_bullets_set_event_mask(cl_bullets *pool, uint8_t event_mask);

/// Sets the actors that its bullets neither hit nor graze, from the next step on: `count` slots of
/// live actors, in any order. They follow their actors to other slots and end with them. A snapshot
/// does not have them, and a restored pool has none: like the event mask, the host sets them before
/// a step. CL_NOMEM: nothing has changed.
cl_status cl_bullets_set_ignored(cl_bullets *pool, const uint32_t *slot, size_t count);

/// The number of a new bullet, or 0 when the pool is full. Needs no memory. The place is within
/// ±CL_MAX_COORD, velocity and acceleration are finite.
uint64_t cl_bullets_spawn(cl_bullets *pool, cl_vec at, cl_vec v, cl_vec a, double tag);

/// How a bullet steers. In each step it turns, accelerates, then its speed is limited. Without
/// speed it neither turns nor has limits.
typedef struct cl_steering {
  double turn_rate;            ///< radians a second; if it homes, the most, >= 0, or INFINITY
  double min_speed, max_speed; ///< 0 … INFINITY, ascending
  bool homes;                  ///< it turns towards an actor, until that is removed
  uint32_t home;               ///< the actor's slot
} cl_steering;

/// Gives a live round bullet its steering. Reserve memory first, once for the whole pool: CL_NOMEM.
cl_status cl_bullets_reserve_steering(cl_bullets *pool);
void cl_bullets_steer(cl_bullets *pool, uint64_t number, const cl_steering *how);

/// Gives a live round bullet a length, >= 0. Reserve memory first, once for the whole pool:
/// CL_NOMEM. Such a bullet is a capsule from its place backwards along its heading, the direction
/// of its velocity at the end of a step; without speed it keeps its heading, which is `heading`, a
/// unit vector, or (1, 0), as long as it has never had speed. After a bounce its tail grows out
/// again: it is as long as the way since the bounce, less the radius.
cl_status cl_bullets_reserve_lengths(cl_bullets *pool);
void cl_bullets_lengthen(cl_bullets *pool, uint64_t number, double length, cl_vec heading);

/// What a plan does to a bullet of the age `at`: it sets the fields in `sets`, CL_PLAN_ bits, in
/// their order. CL_PLAN_AIM turns the bullet to its home, which cl_bullets_steer set. CL_PLAN_HOME
/// and CL_PLAN_STRAY begin and end homing. CL_PLAN_CALL is an event, CL_SHOT_TIMER. A bullet that
/// stands still needs both a speed and an angle or aim; one alone has no effect.
enum {
  CL_PLAN_VX = 1,
  CL_PLAN_VY = 2,
  CL_PLAN_ANGLE = 4,
  CL_PLAN_AIM = 8,
  CL_PLAN_SPEED = 16,
  CL_PLAN_AX = 32,
  CL_PLAN_AY = 64,
  CL_PLAN_TURN = 128,
  CL_PLAN_HOME = 256,
  CL_PLAN_STRAY = 512,
  CL_PLAN_RADIUS = 1024,
  CL_PLAN_TAG = 2048,
  CL_PLAN_CALL = 4096,
};
typedef struct cl_plan_entry {
  double at; ///< seconds, >= 0
  double vx, vy, angle, speed, ax, ay, turn_rate, radius, tag;
  uint32_t sets;
} cl_plan_entry;

/// A plan of 1 to CL_MAX_PLAN entries, which are copied, in ascending order of `at`: CL_NOMEM. It
/// never changes. The caller, bullets and snapshots hold references; the last one frees it.
#define CL_MAX_PLAN 10000
typedef struct cl_plan cl_plan;
cl_status cl_plan_new(const cl_alloc *alloc, const cl_plan_entry *entry, uint32_t count,
                      cl_plan **out);
cl_plan *cl_plan_retain(cl_plan *plan);
void cl_plan_release(cl_plan *plan);

/// Gives a live round bullet its plan. Reserve memory first, once for the whole pool: CL_NOMEM.
cl_status cl_bullets_reserve_plans(cl_bullets *pool);
void cl_bullets_plan(cl_bullets *pool, uint64_t number, cl_plan *plan);

/// A laser along `count` >= 1 points x, y, x, y, …, finite and not too far apart for
/// shapes. It hits after the first `warmup` seconds of its `lifetime` (INFINITY: for ever).
/// `*number` is 0 when the pool is full. CL_NOMEM, CL_INVALID as in cl_shape_capsule.
typedef struct cl_laser_def {
  const double *xy;
  uint32_t count;
  double width, warmup, lifetime, tag;
} cl_laser_def;
cl_status cl_bullets_spawn_laser(cl_bullets *pool, const cl_laser_def *def, uint64_t *number);

/// A live laser: its shape, at x, y without an angle, and whether its warmup is over.
typedef struct cl_laser_place {
  cl_shape *shape;
  double x, y;
  bool hot;
} cl_laser_place;

/// The first live laser with a number above `after`; 0, without writing `out`, if there is none.
uint64_t cl_bullets_next_laser(const cl_bullets *pool, uint64_t after, cl_laser_place *out);

/// False, without any effect, if the bullet is not alive in this pool.
bool cl_bullets_kill(cl_bullets *pool, uint64_t number);
bool cl_bullets_get(cl_bullets *pool, uint64_t number, cl_bullet *out);

/// Sets the `fields` of a live bullet. A new place is a jump, not a motion. A length, which brings
/// the whole tail, needs reserved memory. A laser's radius and length stay. False, without any
/// effect, if the bullet is not alive.
bool cl_bullets_set(cl_bullets *pool, uint64_t number, const cl_bullet *to, uint32_t fields);

/// Where to draw a live bullet between two steps: at the fraction `alpha`, 0 … 1, of the straight
/// line from its place at the start of the last step to its place at the end. It is the present
/// place if the bullet was spawned or set elsewhere since, or has bounced.
cl_vec cl_bullets_between(cl_bullets *pool, uint64_t number, double alpha);

/// Kills the round bullets that touch the circle; kills all bullets and lasers. Returns how many.
uint32_t cl_bullets_kill_circle(cl_bullets *pool, double x, double y, double r);
uint32_t cl_bullets_clear(cl_bullets *pool);

/// The same for all pools.
void cl_pools_clear(cl_pools *pools);

uint32_t cl_bullets_count(const cl_bullets *pool);

/// The first live bullet with a number above `after`; 0 when there is none.
uint64_t cl_bullets_next(cl_bullets *pool, uint64_t after);

/// The last number given.
uint64_t cl_bullets_last(const cl_bullets *pool);

/// Closes the gaps of dead bullets, and returns where the others are.
cl_bullets_io cl_bullets_show(cl_bullets *pool);

/// A step of all bullets by `dt` seconds, in two halves, each after the same half of the world's
/// step. On CL_NOMEM neither the first half nor the world's step has begun; the second cannot fail.
/// dt >= 0 and finite. Between the two, bullets may only be read.
cl_status cl_pools_begin_step(cl_pools *pools, double dt);
void cl_pools_end_step(cl_pools *pools);

/// After a whole step of the world, instead of the two halves: bullets neither move nor hit. Events
/// that have not been fetched stay.
void cl_pools_stand(cl_pools *pools);

/// Call this before anything else after cl_world_reclaim has moved slots.
void cl_pools_follow(cl_pools *pools);

/// cl_world_hash of their world, with all live bullets and the results of the last step. When all
/// shots have been dispatched, the hash is of the bullets alive then, and stays the same until the
/// next step.
uint64_t cl_pools_hash(cl_pools *pools);

/// Whether all pools and their events are consistent. Checked builds assert it after each step.
bool cl_pools_are_valid(const cl_pools *pools);

typedef enum cl_shot_kind {
  CL_SHOT_GRAZE,
  CL_SHOT_HIT,
  CL_SHOT_TIMER, ///< a plan's CL_PLAN_CALL
  CL_SHOT_EXPIRED,
} cl_shot_kind;

/// An event of a bullet. The bullet is alive while the event is dispatched. It dies when the next
/// event is fetched, unless the event is a graze or timer, the pool pierces or the host has
/// answered. While a hit is dispatched, the bullet has its place and state of that moment.
typedef struct cl_shot {
  uint64_t number;
  uint32_t pool;  ///< counts the pools from 0
  uint32_t actor; ///< slot; CL_SHOT_BULLET: another bullet was hit
  uint64_t other; ///< the number of that bullet, 0 for none
  uint32_t other_pool;
  cl_shot_kind kind;
  double nx, ny;   ///< of a hit: unit vector along which the bullet gets free
  double t;        ///< when, as a fraction of the step, 0 … 1
  double x, y;     ///< the bullet's place at that moment
  double left;     ///< seconds of the step that were left
  bool wanted;     ///< its pool wants such events
  bool sure;       ///< the other bullet has had its event, or gets none; it may be dead now
  bool added;      ///< found during the dispatch of the step
  uint8_t leg;     ///< how often the other bullet had bounced before
  uint32_t member; ///< the member of the actor's shape, 0 for none; for a timer the index of the
                   ///< plan's entry, from 0
} cl_shot;

#define CL_SHOT_BULLET UINT32_MAX

/// Call this before cl_world_refresh gives an actor another shape. Hits that are left then refer to
/// the member with the same name, or number, as in the old shape, or to none.
void cl_pools_reshape(cl_pools *pools, uint32_t slot, const cl_shape *shape);

/// The next event, by pool, bullet and t; for actors met at the same t after the start, by the
/// normals, along x first; then by slot. It ends the event before; false when there are none left.
/// The next step's events begin with those not fetched. Events of bullets and actors that are gone
/// are skipped.
bool cl_pools_next_shot(cl_pools *pools, cl_shot *out);

/// What a bullet does after the hit that is being dispatched, in place of the rule of its pool. It
/// flies on; or its velocity is reflected if it leads inward, and it goes the rest of its way among
/// the actors as the step saw them, and the other bullets as they fly by then. Whatever it meets
/// there is the next event. After CL_MOST_BOUNCES in a step it waits where it is. A laser stays
/// with either answer.
typedef enum cl_shot_answer {
  CL_SHOT_PASS,
  CL_SHOT_BOUNCE,
} cl_shot_answer;
enum { CL_MOST_BOUNCES = 8 };

/// On CL_NOMEM nothing has changed, and the answer may be given again.
cl_status cl_pools_answer(cl_pools *pools, cl_shot_answer answer);

/// All pools of a world at one moment, to restore together with their world: every bullet with its
/// number and its grazes and pierced actors, and the events of the last step that are left.
typedef struct cl_bullets_snapshot cl_bullets_snapshot;

/// An empty one; NULL without memory.
cl_bullets_snapshot *cl_bullets_snapshot_new(const cl_alloc *alloc);
void cl_bullets_snapshot_free(cl_bullets_snapshot *snapshot);

/// The number of its pools, and the definition of the i-th.
uint32_t cl_bullets_snapshot_pools(const cl_bullets_snapshot *snapshot);
cl_bullets_def cl_bullets_snapshot_def(const cl_bullets_snapshot *snapshot, uint32_t i);

/// Fills a snapshot, which may come from any pools, together with that of the world. CL_NOMEM: it
/// has not changed.
cl_status cl_pools_snapshot(const cl_pools *pools, cl_bullets_snapshot *into);

/// Restores pools, in two parts, so that nothing changes when there is no memory to restore the
/// world: the first reserves, the second cannot fail. The world is restored in between. `order` has
/// the pools in the order of the snapshot, each with the same definition. There must be no other
/// pools before the second part.
cl_status cl_pools_restore_reserve(cl_pools *pools, const cl_bullets_snapshot *from,
                                   cl_bullets *const order[]);
void cl_pools_restore(cl_pools *pools, const cl_bullets_snapshot *from, cl_bullets *const order[]);

#ifdef __cplusplus
}
#endif

#endif
