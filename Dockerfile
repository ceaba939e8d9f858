# Compiled server without npm or shell, as an unprivileged user. The root file system can be read-only; only /data is written.
# Usage: docs/guides/production.md
ARG NODE=26

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The workspaces only provide Node.js for machines with an older version.
RUN npm ci --workspaces=false
COPY . .
RUN npm run build && npm ci --omit=dev --workspaces=false && mkdir /data
# Fill Node's compile cache: later starts need half the CPU time.
RUN DATABASE_URL=sqlite:/tmp/store.db IMAGES_URL=file:/tmp/images node bin/purveyor.js serve & \
    until node bin/purveyor.js health; do sleep 1; done; kill $! && wait $!
# The only shared library of Node.js that the image below does not have.
RUN mkdir /needed && ldd /usr/local/bin/node | grep -o '/[^ ]*/libatomic[^ ]*' | xargs -r cp -Lt /needed

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /needed /usr/local/lib/needed
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/bin/purveyor.js bin/
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/admin/dist admin/dist
COPY --from=build --chown=nonroot:nonroot /data /data
ENV LD_LIBRARY_PATH=/usr/local/lib/needed
ENV HOST=0.0.0.0 PORT=8080 DATABASE_URL=sqlite:/data/store.db IMAGES_URL=file:/data/images TMPDIR=/data
USER nonroot
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=5m CMD ["node", "/app/bin/purveyor.js", "health"]
ENTRYPOINT ["node", "/app/bin/purveyor.js"]
CMD ["serve"]
