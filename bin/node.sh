#!/bin/sh
# Runs the Node that npm brought along, whatever Node the machine has. npm links it as .bin/node only in newer versions
# of itself, so the npm scripts go through here; exec, so that signals reach the program.
for node in "$(dirname "$0")"/../node_modules/node-*/bin/node; do
  [ -x "$node" ] && exec "$node" "$@"
done
exec node "$@"
