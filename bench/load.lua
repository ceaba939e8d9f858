-- Requests for wrk, drawn at random. Arguments: name and value of the key's header, file with one request a line; a line is a path, or for creates
-- the path, a tab, and a body in which {sku} is replaced; then a prefix that makes the SKUs of this run unlike any other.
local requests, body, prefix, count = {}, nil, "", 0

function init(args)
  wrk.headers[args[1]] = args[2]
  prefix = args[4]
  for line in io.lines(args[3]) do
    local path, text = line:match("^([^\t]*)\t(.*)$")
    if text then
      wrk.path, body = path, text
    else
      requests[#requests + 1] = wrk.format("GET", line)
    end
  end
  wrk.headers["Content-Type"] = body and "application/json" or nil
end

function request()
  if not body then return requests[math.random(#requests)] end
  count = count + 1
  local sku = prefix .. count
  return wrk.format("POST", nil, nil, (body:gsub("{sku}", function() return sku end)))
end
