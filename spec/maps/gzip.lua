return {
  version = "1.5",
  luaversion = "5.1",
  tiledversion = "1.8.2",
  orientation = "orthogonal",
  renderorder = "right-down",
  width = 12,
  height = 9,
  tilewidth = 16,
  tileheight = 16,
  nextlayerid = 6,
  nextobjectid = 1,
  properties = {},
  tilesets = {
    {
      name = "ground",
      firstgid = 1,
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
    },
    {
      name = "trees",
      firstgid = 33,
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
  },
  layers = {
    {
      type = "tilelayer",
      x = 0,
      y = 0,
      width = 12,
      height = 9,
      id = 1,
      name = "deco",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      encoding = "base64",
      compression = "gzip",
      data = "H4sIAAAAAAAAA43PywkDUQhAUec/ZZhUYimWYimWYilTSm5wFkN4iwgHNxfBSUQmkYChoEg4LvmZuQUMBUXC50G/tIChoEj4MujXFjAUFAlf7/716LcWMBQUCd8G9/cWMBQUCd8H/dEChoIi4cejf9/7bAFDQZHwc3D/3+Hn/O4Pz6SN+rABAAA="
    },
    {
      type = "group",
      id = 2,
      name = "all",
      visible = true,
      opacity = 1,
      offsetx = 7,
      offsety = 5,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      layers = {
        {
          type = "tilelayer",
          x = 0,
          y = 0,
          width = 12,
          height = 9,
          id = 3,
          name = "ground",
          visible = true,
          opacity = 1,
          offsetx = 300,
          offsety = 0,
          parallaxx = 1,
          parallaxy = 1,
          properties = {
            ["collidable"] = true
          },
          encoding = "base64",
          compression = "gzip",
          data = "H4sIAAAAAAAAA43PywkDUQhAUec/ZZhUYimWYimWYilTSm5wFkN4iwgHNxfBSUQmkYChoEg4LvmZuQUMBUXC50G/tIChoEj4MujXFjAUFAlf7/716LcWMBQUCd8G9/cWMBQUCd8H/dEChoIi4cejf9/7bAFDQZHwc3D/3+Hn/O4Pz6SN+rABAAA="
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 4,
      name = "things",
      visible = true,
      opacity = 1,
      offsetx = 3,
      offsety = -2,
      parallaxx = 1,
      parallaxy = 1,
      properties = {},
      objects = {
        {
          id = 1,
          name = "spawn",
          type = "player",
          shape = "point",
          x = 20,
          y = 30,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 2,
          name = "zone",
          type = "area",
          shape = "rectangle",
          x = 10,
          y = 20,
          width = 40,
          height = 30,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 3,
          name = "click",
          type = "",
          shape = "rectangle",
          x = 70,
          y = 20,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 4,
          name = "wall",
          type = "",
          shape = "rectangle",
          x = 90,
          y = 20,
          width = 12,
          height = 20,
          rotation = 20,
          visible = true,
          properties = {
            ["collidable"] = true
          }
        },
        {
          id = 5,
          name = "hill",
          type = "",
          shape = "polygon",
          x = 120,
          y = 60,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          polygon = {
            { x = 0, y = 0 },
            { x = 30, y = 0 },
            { x = 10, y = 10 },
            { x = 0, y = 30 }
          },
          properties = {
            ["collidable"] = "true"
          }
        },
        {
          id = 6,
          name = "path",
          type = "",
          shape = "polyline",
          x = 30,
          y = 80,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          polyline = {
            { x = 0, y = 0 },
            { x = 20, y = 5 },
            { x = 40, y = 0 }
          },
          properties = {}
        },
        {
          id = 7,
          name = "pond",
          type = "",
          shape = "ellipse",
          x = 60,
          y = 70,
          width = 30,
          height = 16,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 8,
          name = "box",
          type = "",
          shape = "rectangle",
          x = 100,
          y = 120,
          width = 16,
          height = 16,
          rotation = 0,
          gid = 4,
          visible = true,
          properties = {}
        },
        {
          id = 9,
          name = "mirrored",
          type = "",
          shape = "rectangle",
          x = 60,
          y = 120,
          width = 32,
          height = 16,
          rotation = 0,
          gid = 2147483650,
          visible = true,
          properties = {}
        },
        {
          id = 10,
          name = "sign",
          type = "",
          shape = "text",
          x = 5,
          y = 5,
          width = 50,
          height = 12,
          rotation = 0,
          visible = true,
          text = "hello",
          properties = {}
        }
      }
    },
    {
      type = "objectgroup",
      draworder = "topdown",
      id = 5,
      name = "solid",
      visible = true,
      opacity = 1,
      offsetx = 0,
      offsety = 0,
      parallaxx = 1,
      parallaxy = 1,
      properties = {
        ["collidable"] = true
      },
      objects = {
        {
          id = 11,
          name = "block",
          type = "",
          shape = "rectangle",
          x = 150,
          y = 90,
          width = 20,
          height = 20,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 12,
          name = "ghost",
          type = "",
          shape = "rectangle",
          x = 150,
          y = 30,
          width = 20,
          height = 20,
          rotation = 0,
          visible = true,
          properties = {
            ["collidable"] = false
          }
        },
        {
          id = 13,
          name = "mark",
          type = "",
          shape = "rectangle",
          x = 180,
          y = 30,
          width = 0,
          height = 0,
          rotation = 0,
          visible = true,
          properties = {}
        },
        {
          id = 14,
          name = "ball",
          type = "",
          shape = "ellipse",
          x = 170,
          y = 60,
          width = 14,
          height = 14,
          rotation = 0,
          visible = true,
          properties = {}
        }
      }
    }
  }
}
