package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// ProbeResult is what was found when an address was tried.
type ProbeResult struct {
	// URL is the address, without user information.
	URL string
	// Reachable is true when an HTTP server answered, whatever it said.
	Reachable bool
	// Refused is true when the address is one that may not be called.
	Refused bool
	// Status is what it answered to HEAD, 0 when nothing came.
	Status int
	// Error says in few words why nothing came, as attempts will say it.
	Error string
	// Advice says in whole sentences what to do, "" when there is nothing.
	Advice string
}

// Probe tries an address without sending an event: it connects, shakes hands
// and asks HEAD. It takes at most 2 seconds, or Options.ProbeTimeout.
func (s *Sender) Probe(ctx context.Context, address string) ProbeResult {
	p := ProbeResult{URL: shown(address)}
	u, err := parseTarget(address)
	if err != nil {
		p.Error, p.Advice = err.Error(), "Register an address such as http://localhost:3000/hooks."
		return p
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.ProbeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, u.String(), nil)
	if err != nil {
		p.Error = errAddress.Error()
		return p
	}
	req.Header.Set(headerAgent, "paysandbox/"+s.opts.Version)
	resp, err := s.once.RoundTrip(req)
	if err != nil {
		var refused *refusal
		p.Refused = errors.As(err, &refused)
		p.Error = explain(err, s.opts.ProbeTimeout)
		p.Advice = advise(p.Error, u)
		return p
	}
	defer resp.Body.Close()
	p.Reachable, p.Status = true, resp.StatusCode
	if p.Status == http.StatusUnauthorized || p.Status == http.StatusForbidden {
		p.Advice = "The receiver refuses callers that it does not know, and an event refused like that is not delivered: events carry a signature " +
			"and no other credentials. Let them in by the signature, or leave it so if it is only HEAD that is refused."
	}
	if target := resp.Header.Get("Location"); target != "" && p.Status >= 300 && p.Status < 400 {
		p.Advice = "The address redirects to " + printable(shown(target), keptText) +
			", and deliveries do not follow redirects: register that address if it is the right one."
	}
	return p
}

// Advice says what to do where an address did not answer, by what went wrong there.
func Advice(problem, address string) string {
	u, err := url.Parse(address)
	if err != nil || problem == "" {
		return ""
	}
	return advise(problem, u)
}

// advise says what to do about a failed probe.
func advise(problem string, u *url.URL) string {
	switch {
	case strings.HasPrefix(problem, "connection refused") && isLocal(u.Hostname()):
		return adviseContainer(u)
	case strings.HasPrefix(problem, "connection refused"):
		return "Nothing listens at " + u.Host + ": start the receiver, or look at the port."
	case strings.Contains(problem, flagLoopback):
		return "The sandbox listens for other machines, so it does not call its own for them: start it with --allow-loopback if the receiver is yours, or on a loopback address."
	case strings.Contains(problem, flagPrivate):
		return "Start the sandbox with --allow-private-networks if this network is yours; receivers on other containers and on the container's host need it."
	case strings.Contains(problem, "host name"):
		return "Look at the spelling of " + u.Hostname() + ". In a container, another container is called by its service name in the same network; " +
			"host.docker.internal exists on Linux only with --add-host=host.docker.internal:host-gateway."
	case strings.HasPrefix(problem, "certificate"):
		return "Use a certificate that this machine trusts (SSL_CERT_FILE can name your own authority's), or http for a local receiver."
	case strings.Contains(problem, "TLS"):
		return "Try http instead of https, or another port."
	case strings.HasPrefix(problem, "timeout"):
		return "Nothing answered: look for a firewall between the sandbox and " + u.Host + ", or a receiver that hangs."
	default:
		return "Try the address with another client from the machine that the sandbox runs on."
	}
}

// adviseContainer is for the most usual mistake: localhost means another machine
// inside a container.
func adviseContainer(u *url.URL) string {
	outside := *u
	outside.Host = "host.docker.internal"
	if port := u.Port(); port != "" {
		outside.Host = net.JoinHostPort(outside.Host, port)
	}
	return "Nothing listens at " + u.Host + ": start the receiver, or look at the port. If the sandbox runs in a container, " +
		u.Hostname() + " is the container itself: register " + outside.String() +
		" (on Linux with --add-host=host.docker.internal:host-gateway), or the receiver's service name, and start the sandbox with --allow-private-networks."
}

// isLocal says whether a host means this machine.
func isLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
