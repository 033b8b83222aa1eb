package door

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// ThisMachine says whether a host, with or without a port, is a loopback address
// or localhost.
func ThisMachine(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	ip, err := netip.ParseAddr(name)
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || err == nil && ip.IsLoopback()
}

// CrossSite says whether a web page of another origin than this machine's has
// made the request. Each Origin that is sent has to be of this machine.
func CrossSite(r *http.Request) bool {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if strings.Contains(strings.ToLower(site), "cross-site") { // a proxy may have joined several
			return true
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if origin != "" && (err != nil || !ThisMachine(u.Host)) {
			return true
		}
	}
	return false
}
