# syntax=docker/dockerfile:1
# docker build --build-arg VERSION=$(git describe --tags --always) -t paysandbox .
# docker run --rm -p 8484:8484 paysandbox
FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY features features
COPY fixtures fixtures
COPY harness harness
COPY mockserver mockserver
COPY scenarios scenarios
ARG VERSION=dev
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /paysandbox ./cmd/paysandbox

FROM scratch
# Webhooks go to https addresses.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /paysandbox /paysandbox
USER 65532:65532
EXPOSE 8484
# Outside a loopback address the sandbox draws its secrets and prints them when it starts.
ENTRYPOINT ["/paysandbox"]
CMD ["serve", "--addr", "0.0.0.0:8484"]
