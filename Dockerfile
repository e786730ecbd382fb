# The panel as a container. Built of the sources in two steps, so that nothing of the build is in the image.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# The binary of the database driver comes with its package: nothing is compiled, and no script of a package is run.
RUN npm ci --ignore-scripts
COPY . .
RUN node src-server/cli/build/dist.ts --server --arch "$(node -p process.arch)" \
  && mkdir /panel \
  && tar -xzf dist/packages/switchyard-*.tar.gz --strip-components=1 -C /panel

FROM debian:bookworm-slim
# Certificates for what the panel fetches; ss, which ends single connections. As new as Debian has them.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates iproute2 \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 switchyard \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data switchyard \
  && install -d -m 0700 -o 10001 -g 10001 /data
COPY --from=build /panel /opt/switchyard
RUN ln -s /opt/switchyard/bin/switchyard /usr/local/bin/switchyard
ENV SWITCHYARD_DATA=/data
# By number, so that an orchestrator sees that it is not root.
USER 10001:10001
# The one place that is written: database, keys, the core, logs, backups.
VOLUME /data
EXPOSE 2053 10882
# Its own socket, which no web setting moves: any answer says that the event loop turns.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["/opt/switchyard/bin/node", "-e", "require('http').get({ socketPath: '/data/panel.sock', path: '/' }, () => process.exit(0)).on('error', () => process.exit(1))"]
# Final counters, core, checkpoint and backup take seven seconds: give it twenty before it is killed.
STOPSIGNAL SIGTERM
ENTRYPOINT ["switchyard"]
CMD ["serve"]
