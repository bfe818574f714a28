# The command in a container: docker build -t touchdown . && docker run --rm -v "$PWD:/work" touchdown run single-wheel --out wheel
# Written with care, but not built by this project's tests: they have no Docker.
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
COPY --from=build /source/target/release/touchdown /usr/local/bin/
COPY --from=build /source/target/release/libtouchdown_c.so /usr/local/lib/
COPY --from=build /source/include/touchdown.h /usr/local/include/
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/local/share/doc/touchdown/
RUN ldconfig && useradd --create-home --uid 1000 touchdown
USER touchdown
WORKDIR /work
ENTRYPOINT ["touchdown"]
CMD ["--help"]
