#!/bin/sh
# Runs the first Node that is new enough: the one that npm itself runs on, the machine's, or the one that npm brought along
# (packages/node). The npm scripts go through here; exec, so that signals reach the program.
NODE_MAJOR_MIN=24
for node in "$npm_node_execpath" "$(command -v node)" "$(dirname "$0")"/../node_modules/node-*/bin/node; do
  [ -x "$node" ] || continue
  version=$("$node" --version)
  major=${version#v}
  [ "${major%%.*}" -ge "$NODE_MAJOR_MIN" ] && exec "$node" "$@"
done
exec node "$@"
