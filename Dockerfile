# Stage 1: install everything, bundle, then drop what only the build needs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json build.mjs ./
COPY schemas schemas
COPY src src
COPY openapi openapi
RUN npm run build && npm prune --omit=dev && npm sbom --omit=dev --sbom-format=spdx > sbom.spdx.json

# Stage 2: the bundled service, its runtime dependencies, and nothing else.
FROM node:24-bookworm-slim
ARG VERSION=0.2.0 REVISION=
LABEL org.opencontainers.image.title="Tangent" \
  org.opencontainers.image.description="A collision-query service: geometry questions over HTTP/JSON, answered exactly and fast" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY LICENSE package.json ./
# what is in the image, with the licences; their texts are beside the packages
COPY --from=build /app/sbom.spdx.json sbom.spdx.json
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/src dist/src
COPY --from=build /app/dist/playground dist/playground
COPY --from=build /app/dist/openapi dist/openapi
# What scenes hold outlives the container when this is a volume.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# By the shell: a Node process for each look would take more than the service does.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-3000} && printf 'GET /livez HTTP/1.0\\r\\n\\r\\n' >&3 && read -rt 2 status <&3 && [[ $status == *' 200 '* ]]"]
# node directly, not through npm: it receives SIGTERM itself and drains before it stops. The other command is `node dist/src/migrate.js`.
# With OpenTelemetry: docs/configuration-and-operation.md#tracing.
CMD ["node", "dist/src/server.js"]
