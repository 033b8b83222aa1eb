package control

import (
	_ "embed"
	"net/http"
	"strings"
)

// isDocs says whether a path is the description's or its page's.
func isDocs(path string) bool {
	switch path {
	case Prefix + "/openapi.json", Prefix + "/openapi.yaml", Prefix + "/docs":
		return true
	default:
		return strings.HasPrefix(path, Prefix+"/docs/")
	}
}

// newDocs serves the description of the control API.
func (c *Control) newDocs() http.Handler { return http.HandlerFunc(c.noRoute) }
