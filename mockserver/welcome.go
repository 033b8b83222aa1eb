package mockserver

import (
	"net/http"
	"strconv"
	"strings"

	"paysandbox/mockserver/console"
)

const welcomeText = `paysandbox: a payment service to rehearse against.

  /console            what happens, to look at and to act on
  /docs               the partner API, to read and try
  /openapi.json       the same, for machines
  /_sandbox/docs      the control API: time, people, banks, webhooks
  /_sandbox/ready     200 when serving
  /metrics            figures for Prometheus
`

// welcome tells a person who opens the base address where to go, and leads a browser
// to the console where that is served.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request, here side) {
	w.Header().Set("Vary", "Accept")
	if here == everything && strings.Contains(r.Header.Get("Accept"), "text/html") {
		w.Header().Set("Location", console.Prefix)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(welcomeText)))
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(welcomeText))
	}
}
