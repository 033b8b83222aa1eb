package scrub

import (
	"net"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// ownPages are members whose addresses are the partner's own: its web site, and where payers and webhooks are sent.
var ownPages = []string{"websiteurl", "website", "homepage", "companyurl", "redirecturl", "returnurl", "callbackurl", "cancelurl", "successurl", "webhookurl", "notifyurl", "notificationurl"}

// nobodys are domains that tell of nobody: those set aside for examples and for machines of one's own, and those that many share.
var nobodys = strings.Fields(`example test invalid localhost local internal lan home.arpa example.com example.net example.org gmail.com googlemail.com yahoo.com outlook.com
	hotmail.com live.com icloud.com me.com aol.com proton.me protonmail.com gmx.de gmx.net web.de mail.com webhook.site ngrok.io ngrok.app ngrok-free.app
	ngrok-free.dev requestbin.com pipedream.net trycloudflare.com localtunnel.me loca.lt beeceptor.com hookdeck.com smee.io`)

// within are the second parts of domains under which countries give names.
var within = strings.Fields("co com net org gov edu ac ltd plc me ne or")

// domainOf is the name that was given to somebody, of a host's; "" for one that tells of nobody.
func domainOf(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	labels := strings.Split(host, ".")
	if !aHost().MatchString(host) || ipv4().MatchString(host) || len(labels) < 2 || slices.ContainsFunc(nobodys, func(n string) bool { return host == n || strings.HasSuffix(host, "."+n) }) {
		return ""
	}
	n := 2
	if len(labels) > 2 && len(labels[len(labels)-1]) == 2 && slices.Contains(within, labels[len(labels)-2]) {
		n = 3
	}
	return strings.Join(labels[len(labels)-n:], ".")
}

// aHost is how the name of a host is written.
var aHost = trail.Pattern(`^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$`)

// meetSite keeps the domain of a host of the partner's, which tells who it is wherever it stands. The service's own stay.
func (s *Scrubber) meetSite(host string) {
	domain := domainOf(host)
	if !s.learning || domain == "" || s.o.KeepData || s.sites[domain] != "" || slices.ContainsFunc(s.hosts, func(service recording.Service) bool { return domainOf(service.Host) == domain }) {
		return
	}
	label, _, _ := strings.Cut(domain, ".")
	s.sites[domain] = strings.Trim(s.shaped(site, label), "-") + ".example"
}

// meetPages keeps the domain of an address that is the value of a member.
func (s *Scrubber) meetPages(name, value string) {
	if _, after, ok := strings.Cut(value, "//"); s.learning && ok && slices.Contains(ownPages, name) {
		s.meetSite(after[:hostEnds(after)])
	}
}

// hostEnds is where the host ends with which a text begins.
func hostEnds(text string) int {
	if i := strings.IndexAny(text, "/?# "); i >= 0 {
		return i
	}
	return len(text)
}

// meetReceiver keeps the domains of where webhooks came to.
func (s *Scrubber) meetReceiver(address string, header []tape.Header) {
	s.meetPages("webhookurl", address)
	for _, h := range header {
		if strings.EqualFold(h.Name, "Host") {
			s.meetSite(h.Value)
		}
	}
}

// meetClients keeps the ids that clients name themselves by.
func (s *Scrubber) meetClients(r recording.Recording) {
	for i := range r.Exchanges {
		correlate.Walk(r.Exchanges[i].Body, func(path []string, v any) {
			if text, ok := v.(string); ok && len(path) == 1 && bare(path[0]) == "clientid" {
				s.clients[text] = true
			}
		})
	}
}

// written is a text that may be a host's name.
var written = trail.Pattern(`[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)

// withoutSites is a text without the domains of the partner's that are known.
func (s *Scrubber) withoutSites(text string) string {
	if s.learning || len(s.sites) == 0 || !strings.Contains(text, ".") {
		return text
	}
	return written().ReplaceAllStringFunc(text, func(host string) string {
		for at := 0; ; {
			if standIn, ok := s.sites[strings.ToLower(host[at:])]; ok {
				s.report.count(site)
				return host[:at] + standIn
			}
			next := strings.IndexByte(host[at:], '.')
			if next < 0 {
				return host
			}
			at += next + 1
		}
	})
}
