package mockserver

import (
	"net/http"
	"strconv"
)

const welcomeText = `paysandbox: a payment service to rehearse against.

  /docs               the partner API, to read and try
  /openapi.json       the same, for machines
  /_sandbox/docs      the control API: time, people, banks, webhooks
  /_sandbox/ready     200 when serving
  /metrics            figures for Prometheus
`

// welcome tells a person who opens the base address where to go.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(welcomeText)))
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(welcomeText))
	}
}
