// collide, MIT licence (see LICENSE)
//
// Morton grids, and the bounds of boxes. Layer: broad.

#include "broad/morton_grid.h"
#include "geom/box.h"

cl_fbox cl_fbox_join_all(const cl_fbox *box, uint32_t count) {
  cl_fbox all = count > 0 ? box[0] : (cl_fbox){0, 0, 0, 0};
  for (uint32_t i = 1; i < count; i++) {
    all.x0 = box[i].x0 < all.x0 ? box[i].x0 : all.x0;
    all.y0 = box[i].y0 < all.y0 ? box[i].y0 : all.y0;
    all.x1 = box[i].x1 > all.x1 ? box[i].x1 : all.x1;
    all.y1 = box[i].y1 > all.y1 ? box[i].y1 : all.y1;
  }
  return all;
}

cl_morton_grid cl_morton_grid_of(const cl_broad_def *def, const cl_broad_input *in,
                                 unsigned depth) {
  cl_fbox box = def->bounded ? def->field : cl_fbox_join_all(in->box, in->count);
  double cells = (double)(1u << depth);
  double width = (double)box.x1 - box.x0, height = (double)box.y1 - box.y0;
  return (cl_morton_grid){
      .left = box.x0,
      .top = box.y0,
      .perx = width > 0 ? cells / width : 0,
      .pery = height > 0 ? cells / height : 0,
      .last = cells - 1,
      .box = box,
  };
}

unsigned cl_morton_grid_depth(const cl_broad_def *def, uint32_t count) {
  if (def->depth) return def->depth;
  unsigned depth = 1;
  while (depth < CL_BROAD_MAX_DEPTH && (uint64_t)1 << (2 * depth) < count) depth++;
  return depth;
}

cl_fbox cl_morton_grid_cell(const cl_morton_grid *field, uint32_t column, uint32_t row,
                            unsigned level) {
  double cells = (double)(1u << level);
  double width = ((double)field->box.x1 - field->box.x0) / cells;
  double height = ((double)field->box.y1 - field->box.y0) / cells;
  double left = field->left + column * width, top = field->top + row * height;
  return cl_fbox_of(left, top, left + width, top + height);
}
