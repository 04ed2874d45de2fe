// collide, MIT licence (see LICENSE)
//
// Blocks of cells: which edges of shaped cells are inner, against a definition by corners.

#include "tile_sets.h"

static cl_alloc alloc;

// The stretch of a cell on the line x = at, or y = at if not across, between its first and last
// corner there; false if it has no edge there.
static bool on_line(const cl_shape *tiles, int column, int row, bool across, double at,
                    double span[2]) {
  double xy[32], radius;
  int n = cell_corners(tiles, column, row, xy, &radius), found = 0;
  for (int i = 0; i < n && radius == 0; i++) {
    if (xy[2 * i + !across] != at) continue;
    double u = xy[2 * i + across];
    span[0] = found ? cl_min(span[0], u) : u;
    span[1] = found ? cl_max(span[1], u) : u;
    found++;
  }
  return found > 1;
}

// Whether the neighbour beyond one of a cell's sides covers all of the edge from a to b.
static bool is_inner(const cl_shape *tiles, int column, int row, cl_vec a, cl_vec b) {
  double span[2];
  for (int side = 0; side < 4; side++) {
    bool across = side % 2, far = side / 2;
    int line = (across ? column : row) + far, to = far ? 1 : -1;
    double p = across ? a.x : a.y, q = across ? b.x : b.y;
    double u = across ? a.y : a.x, v = across ? b.y : b.x;
    if (p == line && q == line &&
        on_line(tiles, column + (across ? to : 0), row + (across ? 0 : to), across, line, span))
      return span[0] <= cl_min(u, v) && span[1] >= cl_max(u, v);
  }
  return false;
}

static void edges_that_neighbours_cover_are_inner(void) {
  const int64_t size[3] = {4, 3, 1};
  long inner[2] = {0, 0};
  for (long round = test_rounds(2000); round > 0; round--) {
    cl_cell_block block;
    int32_t top = test_int(0, 1);
    cl_shape *tiles = shaped_tiles(&alloc, size, 1, (double[3]){0}, 0.8, true), *s = &block.shape;
    bool any =
        tiles->cell.y == 1 && cl_cell_block_fill(&block, tiles, (cl_cell_rect){0, top, 3, top + 1});
    for (uint32_t p = 0; any && p < s->part_count; p++)
      for (uint32_t first = s->parts[p].first, n = s->parts[p].count, i = 0; i < n; i++) {
        uint32_t k = first + i, next = first + (i + 1) % n;
        cl_vec a = {s->vx[k], s->vy[k]}, b = {s->vx[next], s->vy[next]};
        CHECK(s->inner[k] == is_inner(tiles, block.column[p], block.row[p], a, b));
        inner[s->inner[k]]++;
      }
    cl_shape_release(tiles);
  }
  CHECK(test_rounds(100) < 100 || (inner[0] > 1000 && inner[1] > 1000));
}

int main(void) {
  alloc = cl_alloc_default();
  RUN(edges_that_neighbours_cover_are_inner);
  return test_end();
}
