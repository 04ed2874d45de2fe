return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  name = "trees",
  tilewidth = 24,
  tileheight = 40,
  spacing = 0,
  margin = 0,
  columns = 5,
  image = "../../examples/game/tiles.png",
  imagewidth = 128,
  imageheight = 64,
  objectalignment = "unspecified",
  tileoffset = {
    x = -4,
    y = 6
  },
  grid = {
    orientation = "orthogonal",
    width = 24,
    height = 40
  },
  properties = {},
  wangsets = {},
  tilecount = 5,
  tiles = {
    {
      id = 0,
      properties = {
        ["collidable"] = true
      },
      objectGroup = {
        type = "objectgroup",
        draworder = "topdown",
        name = "",
        visible = true,
        opacity = 1,
        offsetx = 0,
        offsety = 0,
        parallaxx = 1,
        parallaxy = 1,
        properties = {},
        objects = {
          {
            id = 1,
            name = "",
            type = "",
            shape = "rectangle",
            x = 8,
            y = 26,
            width = 8,
            height = 8,
            rotation = 0,
            visible = true,
            properties = {}
          }
        }
      }
    },
    {
      id = 1,
      properties = {
        ["collidable"] = true
      }
    }
  }
}
