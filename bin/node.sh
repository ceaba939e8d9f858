#!/bin/sh
# Runs the first Node.js that is new enough: npm's own, the one on the PATH, or the copy that npm installed (packages/node).
# All npm scripts use this file. exec makes signals reach the program.
NODE_MAJOR_MIN=24
for node in "$npm_node_execpath" "$(command -v node)" "$(dirname "$0")"/../node_modules/node-*/bin/node; do
  [ -x "$node" ] || continue
  version=$("$node" --version)
  major=${version#v}
  [ "${major%%.*}" -ge "$NODE_MAJOR_MIN" ] && exec "$node" "$@"
done
exec node "$@"
