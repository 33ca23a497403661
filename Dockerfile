# syntax=docker/dockerfile:1
# Two stages: Swift's image builds, and what remains is the file tree of scripts/assemble-image.sh in an empty image:
# the executable, the shared libraries it needs, time zones and certificates. No shell, no package manager.
#
#     docker build -t syncky-receiver .
#
# The base is named by tag. For a build that can be repeated, name it by digest: docs/install.md says how.
ARG SWIFT_IMAGE=swift:6.3-bookworm

FROM ${SWIFT_IMAGE} AS build
WORKDIR /source
COPY Package.swift LICENSE ./
COPY Sources Sources
COPY Tests Tests
COPY scripts scripts
RUN scripts/assemble-image.sh /image

FROM scratch
LABEL org.opencontainers.image.title="Syncky Receiver" \
      org.opencontainers.image.description="Receives Apple Health data from an iPhone and stores it in SQLite" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image/ /
ENV SYNCKY_DATA=/data
USER 10001:10001
VOLUME /data
EXPOSE 8787 8788
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["/server", "health"]
# The exec form, so that SIGTERM reaches the server and it can finish what it accepted.
ENTRYPOINT ["/server"]
CMD ["serve", "--init"]
