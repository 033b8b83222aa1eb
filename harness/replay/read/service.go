package read

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/mention"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// findServices finds the hosts of the service: those that were said, else those whose
// paths are the operations', else the only one. The error wraps ErrNoService.
func findServices(parts []*source.Part, said []string) ([]recording.Service, error) {
	if len(said) > 0 {
		return saidServices(said), nil
	}
	type key struct{ scheme, host, base string }
	found, hosts := map[key]int{}, map[string]key{}
	for _, p := range parts {
		for i := range p.Exchanges {
			x := &p.Exchanges[i]
			hosts[x.Host] = key{x.Scheme, x.Host, ""}
			base, ok := source.BasePath(x.Path)
			if ok || source.Header(x.Answer.Header, "Sandbox-Exchange") != "" {
				found[key{x.Scheme, x.Host, base}]++
			}
		}
	}
	var services []recording.Service
	for k, n := range found {
		services = append(services, recording.Service{
			Scheme: k.scheme, Host: k.host, Base: k.base, Calls: n, Why: fmt.Sprintf("%d of its paths are the service's", n),
		})
	}
	sortServices(services)
	services = onePerHost(services)
	if len(services) > 0 || len(hosts) == 0 {
		return services, nil
	}
	if len(hosts) == 1 {
		for _, k := range hosts {
			return []recording.Service{{Scheme: k.scheme, Host: k.host, Why: "it is the only host"}}, nil
		}
	}
	names := make([]string, 0, len(hosts))
	for name := range hosts {
		names = append(names, name)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("%w: the files hold calls to %s; say which is the service's with --service",
		ErrNoService, strings.Join(names[:min(len(names), 10)], ", "))
}

// sortServices puts the busiest first.
func sortServices(list []recording.Service) {
	slices.SortStableFunc(list, func(a, b recording.Service) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Scheme, b.Scheme), cmp.Compare(a.Base, b.Base))
	})
}

// onePerHost keeps the busiest base path of each host.
func onePerHost(list []recording.Service) []recording.Service {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s recording.Service) bool {
		again := seen[s.Host]
		seen[s.Host] = true
		return again
	})
}

func saidServices(said []string) []recording.Service {
	list := make([]recording.Service, 0, len(said))
	for _, address := range said {
		var x recording.Exchange
		if source.SetAddress(&x, address) == nil {
			list = append(list, recording.Service{Scheme: x.Scheme, Host: x.Host, Base: strings.TrimSuffix(x.Path, "/"), Why: "it was said"})
		}
	}
	return list
}

// serviceOf is the service that an exchange is for, nil for a foreign host. What names
// no host is the service's.
func serviceOf(x *recording.Exchange, services []recording.Service) *recording.Service {
	for i := range services {
		if services[i].Host == x.Host {
			return &services[i]
		}
	}
	if x.Host == "" {
		return &recording.Service{}
	}
	return nil
}

// keepServices leaves the calls to foreign hosts out, which it gives, and pages that people opened, as those of the partner's own that
// payers come back to.
func keepServices(p *source.Part, services []recording.Service, pages map[string]bool) (others []recording.Exchange) {
	foreign := map[string]*recording.Skipped{}
	var order []string
	kept := p.Exchanges[:0]
	for i := range p.Exchanges {
		x := p.Exchanges[i]
		s := serviceOf(&x, services)
		back := x.Host == "" && x.Method == "GET" && pages[x.Path]
		if s == nil || back {
			others = append(others, x)
		}
		arrived(p, s, &x)
		switch {
		case s == nil && foreign[x.Host] != nil:
			foreign[x.Host].Count++
		case s == nil:
			foreign[x.Host] = &recording.Skipped{Place: x.Place, Host: x.Host, Count: 1, Why: "calls to a host that is not the service's"}
			order = append(order, x.Host)
		case back:
			p.Skip(x.Place, "the partner's own page, to which payers come back")
		case besideCalls(p, s, &x) != "":
			p.Skip(x.Place, besideCalls(p, s, &x))
		default:
			x.Path = withoutBase(x.Path, s.Base)
			kept = append(kept, x)
		}
	}
	p.Exchanges = kept
	for _, host := range order {
		p.Skipped = append(p.Skipped, *foreign[host])
	}
	return others
}

// besideCalls says why an exchange is no call of the partner's to the service; "" for one that is.
func besideCalls(p *source.Part, s *recording.Service, x *recording.Exchange) string {
	switch {
	case strings.HasPrefix(withoutBase(x.Path, s.Base), "/_sandbox/"):
		return "a call of the control API: what people did is found by what the answers show"
	case x.Host == "" && notServed(x):
		return "a call that names no host, and was served at a path that the service does not have: it is taken as another's"
	case x.Host == "" && toReceiver(x), receives(p, x):
		return "a call to the partner's own receiver, of which the file shows no event"
	case isPage(x):
		return "a page or a part of one that a person opened"
	default:
		return ""
	}
}

// arrived notes a request that came to a receiver, of which the file does not show what it was.
func arrived(p *source.Part, s *recording.Service, x *recording.Exchange) {
	if a := &p.Source().Arrivals; (s == nil || x.Host == "") && toReceiver(x) && !x.Begin.IsZero() && len(*a) < mention.MostArrivals {
		*a = append(*a, recording.Arrival{At: x.Begin, Line: x.Place.Line, Status: x.Answer.Status})
	}
}

// notServed says whether a call succeeded, or was sent on, at a path that no operation has.
func notServed(x *recording.Exchange) bool {
	_, ok := source.BasePath(x.Path)
	return !ok && !isWebhook(x) && x.Answer.Status >= 200 && x.Answer.Status < 400
}

// ofReceivers are paths that receivers of webhooks have.
var ofReceivers = trail.Pattern(`(?i)hook|callback|notif|/events?\b|/ipn\b`)

// toReceiver says whether a call goes to where the partner receives webhooks, by its path.
func toReceiver(x *recording.Exchange) bool {
	_, ok := source.BasePath(x.Path)
	return !ok && !isWebhook(x) && x.Method == "POST" && ofReceivers().MatchString(x.Path)
}

// receives says whether a call goes to a host at which webhooks arrive, and to no operation.
func receives(p *source.Part, x *recording.Exchange) bool {
	_, ok := source.BasePath(x.Path)
	return !ok && !isWebhook(x) && x.Host != "" && slices.ContainsFunc(p.Received, func(w recording.Received) bool {
		at, err := url.Parse(w.URL)
		return strings.EqualFold(source.Header(w.Header, "Host"), x.Host) || err == nil && strings.EqualFold(at.Host, x.Host)
	})
}

func withoutBase(path, base string) string {
	if rest, ok := strings.CutPrefix(path, base); ok && strings.HasPrefix(rest, "/") {
		return rest
	}
	return path
}

// isPage says whether a person's browser asked for something to show.
func isPage(x *recording.Exchange) bool {
	if _, ok := source.BasePath(x.Path); ok || source.Header(x.Header, "Authorization") != "" {
		return false
	}
	if !strings.EqualFold(x.Method, "GET") && !strings.EqualFold(x.Method, "POST") {
		return false
	}
	switch strings.ToLower(x.Path) {
	case "/favicon.ico", "/robots.txt", "/apple-touch-icon.png":
		return true
	}
	switch path.Ext(strings.ToLower(x.Path)) {
	case ".js", ".css", ".png", ".jpg", ".svg", ".ico", ".woff", ".woff2", ".map", ".html":
		return strings.EqualFold(x.Method, "GET")
	}
	media := strings.ToLower(source.Header(x.Answer.Header, "Content-Type"))
	for _, kind := range []string{"text/html", "text/css", "javascript", "image/", "font/"} {
		if strings.Contains(media, kind) {
			return true
		}
	}
	return strings.EqualFold(source.Header(x.Header, "Sec-Fetch-Dest"), "document")
}

// counted are the services with the calls that were kept of each.
func counted(services []recording.Service, calls []recording.Exchange) []recording.Service {
	n := map[string]int{}
	for i := range calls {
		n[calls[i].Host]++
	}
	for i := range services {
		services[i].Calls = n[services[i].Host]
	}
	if len(services) == 0 && n[""] > 0 {
		services = []recording.Service{{Calls: n[""], Why: "the files name no host"}}
	}
	sortServices(services)
	return services
}
