# The command assay in an image of Debian, without a Swift toolchain and without root:
#   docker build -t assay .
#   docker run --rm -i assay verify --issuer https://idp.example --audience client-1 < token.txt
# The build needs 6 GB of memory and 12 to 25 minutes. Tests/Packages/dockerfile.py runs these steps without a container engine.

FROM swift:6.3-bookworm AS build
ARG source=/source
RUN apt-get update \
    && apt-get install -y --no-install-recommends libcurl4-openssl-dev libhiredis-dev libjansson-dev libpng-dev libpq-dev libsqlite3-dev libssl-dev libyaml-dev \
        pkg-config python3 zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR ${source}
COPY . .
RUN DESTDIR=/out PREFIX=/usr scripts/command.sh install

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 libhiredis0.14 libjansson4 libpng16-16 libpq5 libsqlite3-0 libssl3 libstdc++6 \
        libyaml-0-2 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/usr /usr
USER 65534:65534
ENTRYPOINT ["assay"]
CMD ["--help"]
