# Stage 1: install everything, compile, then drop what only the build needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY src src
RUN npm run build && npm prune --omit=dev

# Stage 2: the compiled service, its runtime dependencies, and nothing else.
FROM node:24-bookworm-slim
# The allocator would otherwise keep what large scenes have freed.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=1048576
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# What scenes hold outlives the container when this is a volume.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node directly, not through npm: it receives SIGTERM itself and drains before it stops.
CMD ["node", "dist/src/server.js"]
