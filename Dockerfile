# The command in a container:
#   docker build -t touchdown --build-arg COMMIT="$(git rev-parse HEAD)" .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" touchdown run single-wheel --out wheel
# `view` and `--view` listen on 127.0.0.1 of the container: add --network host to reach them.
# Written with care, but never built: this project's tests have no Docker.
FROM node:20-bookworm-slim AS pages
WORKDIR /source/viewer
COPY viewer/package.json viewer/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY viewer ./
RUN npm run build

FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
COPY --from=pages /source/viewer/dist viewer/dist
RUN cargo build --release --locked -p touchdown-cli -p touchdown-capi

FROM debian:bookworm-slim
# The folder .git stays outside, so that `touchdown --version --json` has a hash of the sources but no commit.
ARG COMMIT=""
LABEL org.opencontainers.image.title="touchdown" org.opencontainers.image.licenses="MIT OR Apache-2.0" org.opencontainers.image.revision="$COMMIT"
COPY --from=build /source/target/release/touchdown /usr/local/bin/
COPY --from=build /source/target/release/libtouchdown_c.so /usr/local/lib/
COPY --from=build /source/include/touchdown.h /usr/local/include/
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/local/share/doc/touchdown/
RUN ldconfig && useradd --create-home --uid 1000 touchdown
USER touchdown
WORKDIR /work
ENTRYPOINT ["touchdown"]
CMD ["--help"]
