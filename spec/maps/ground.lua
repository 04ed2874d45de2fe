return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  name = "ground",
  tilewidth = 16,
  tileheight = 16,
  spacing = 0,
  margin = 0,
  columns = 8,
  image = "../../examples/game/tiles.png",
  imagewidth = 128,
  imageheight = 64,
  objectalignment = "unspecified",
  tileoffset = {
    x = 0,
    y = 0
  },
  grid = {
    orientation = "orthogonal",
    width = 16,
    height = 16
  },
  properties = {},
  wangsets = {},
  tilecount = 32,
  tiles = {
    {
      id = 0,
      properties = {
        ["collidable"] = true
      }
    },
    {
      id = 1,
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
            shape = "polygon",
            x = 0,
            y = 16,
            width = 0,
            height = 0,
            rotation = 0,
            visible = true,
            polygon = {
              { x = 0, y = 0 },
              { x = 16, y = -16 },
              { x = 16, y = 0 }
            },
            properties = {}
          }
        }
      }
    },
    {
      id = 2,
      type = "grass",
      properties = {
        ["collidable"] = false
      }
    },
    {
      id = 3,
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
            x = 0,
            y = 10,
            width = 16,
            height = 6,
            rotation = 0,
            visible = true,
            properties = {
              ["collidable"] = true
            }
          },
          {
            id = 2,
            name = "",
            type = "",
            shape = "point",
            x = 3,
            y = 3,
            width = 0,
            height = 0,
            rotation = 0,
            visible = true,
            properties = {}
          }
        }
      }
    },
    {
      id = 4,
      type = "ice",
      properties = {
        ["collidable"] = "true",
        ["slip"] = 0.5
      }
    },
    {
      id = 5,
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
            shape = "ellipse",
            x = 2,
            y = 4,
            width = 10,
            height = 10,
            rotation = 0,
            visible = true,
            properties = {}
          }
        }
      }
    },
    {
      id = 6,
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
            x = -4,
            y = 2,
            width = 12,
            height = 4,
            rotation = 30,
            visible = true,
            properties = {}
          }
        }
      }
    },
    {
      id = 7,
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
            x = 0,
            y = 0,
            width = 16,
            height = 4,
            rotation = 0,
            visible = true,
            properties = {}
          },
          {
            id = 2,
            name = "",
            type = "",
            shape = "rectangle",
            x = 0,
            y = 0,
            width = 4,
            height = 16,
            rotation = 0,
            visible = true,
            properties = {}
          }
        }
      }
    }
  }
}
