-- Sends random requests with wrk. Arguments: name and value of the authentication header; a file with one request per line (a path, or for
-- creates a path, a tab and a body in which {sku} is replaced); a prefix that makes the SKUs of this run unique.
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
