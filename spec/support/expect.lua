-- Assertions about the texts of errors, and about numbers within a tolerance.
local M = {}

--- Checks that f(...) raises a string that contains every piece (as plain text), and returns it.
--- `pieces` is one string or a list.
function M.raises(pieces, f, ...)
  local ok, message = pcall(f, ...)
  if ok then error("an error was expected, but the call returned", 2) end
  if type(message) ~= "string" then
    error("a message was expected, but the error is a " .. type(message), 2)
  end
  if type(pieces) == "string" then pieces = { pieces } end
  for _, piece in ipairs(pieces) do
    if not message:find(piece, 1, true) then
      error(("the message should contain %q, but is: %s"):format(piece, message), 2)
    end
  end
  return message
end

--- Checks that each number in `got` is within `eps` (default 1e-9) of that in `want`.
function M.near(want, got, eps)
  eps = eps or 1e-9
  for i = 1, math.max(#want, #got) do
    local w, g = want[i], got[i]
    local near = type(g) == "number" and type(w) == "number" and math.abs(w - g) <= eps
    if not near then
      error(("number %d: %s expected, got %s"):format(i, tostring(w), tostring(g)), 2)
    end
  end
end

--- The pairs of a world's last hits as text: "a-b c-d", by the actors' names.
function M.pairNames(world, actor)
  local out = {}
  for a, b in world:hits(actor) do out[#out + 1] = a.name .. "-" .. b.name end
  return table.concat(out, " ")
end

return M
