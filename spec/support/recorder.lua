-- Actors that record their callbacks: "a:enter b, b:enter a, …".
local M = {}
M.__index = M

function M.new()
  return setmetatable({ calls = {}, args = {} }, M)
end

--- Makes `fields` an actor called `name` whose enter, hit and leave record the call. `on` maps
--- events to functions that the method also calls. Methods listed in `without` are left out.
function M:actor(name, fields, on, without)
  fields.name = name
  for _, event in ipairs { "enter", "hit", "leave" } do
    if not (without and without[event]) then
      fields[event] = function(actor, other, ...)
        self:note(name .. ":" .. event .. " " .. tostring(other.name), other, ...)
        if on and on[event] then return on[event](actor, other, ...) end
      end
    end
  end
  return fields
end

function M:note(call, ...)
  self.calls[#self.calls + 1] = call
  self.args[#self.args + 1] = { n = select("#", ...), ... }
end

--- The calls since the last take, as one string.
function M:take()
  local out = table.concat(self.calls, ", ")
  self.calls, self.args = {}, {}
  return out
end

return M
