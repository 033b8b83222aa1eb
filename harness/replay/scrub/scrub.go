package scrub

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Options say what is taken out.
type Options struct {
	// KeepData leaves data of people as it is: for a recording that is one's own. Secrets
	// are taken out all the same.
	KeepData bool
}

// Scrubber takes secrets and personal data out. It is for one goroutine.
type Scrubber struct {
	key    []byte
	o      Options
	report Report
	at     recording.Place
	// known are secrets that were seen where secrets stand, with their stand-ins; they are
	// replaced wherever they stand, by replacer, once all are known.
	known    map[string]string
	replacer *strings.Replacer
	learning bool
	// given are the stand-ins that were worked out already, made says which there are.
	given map[standing]string
	made  map[standing]bool
	// people are values of people's by their first words, owners the one of each stand-in, "" where
	// several have it; hosts are the service's.
	people map[string][]value
	owners map[string]string
	// initials are those of names, in capitals: of two letters or more.
	initials map[string]kind
	hosts    []recording.Service
	// sites are the domains of the partner's with what stands for them, clients the ids of clients.
	sites   map[string]string
	clients map[string]bool
}

// standing is a value and what it stands for.
type standing struct {
	kind  kind
	value string
}

// New makes a scrubber. Scrubbers with the same key have the same stand-ins.
func New(key []byte, o Options) *Scrubber {
	return &Scrubber{key: slices.Clone(key), o: o, known: map[string]string{}, given: map[standing]string{}, made: map[standing]bool{}, people: map[string][]value{}, owners: map[string]string{}, initials: map[string]kind{}, sites: map[string]string{}, clients: map[string]bool{}}
}

// Recording is the recording without secrets and personal data. It is read twice: a
// secret may stand in a text before it stands where secrets do.
func (s *Scrubber) Recording(r recording.Recording) recording.Recording {
	s.learning, s.hosts = true, r.Services
	s.meetClients(r)
	s.recording(r)
	s.learning, s.report, s.replacer = false, Report{}, longestFirst(s.known)
	return s.recording(r)
}

// Report tells what was done so far.
func (s *Scrubber) Report() Report { return s.report.clone() }

func (s *Scrubber) recording(r recording.Recording) recording.Recording {
	out := recording.Recording{Services: slices.Clone(r.Services)}
	for _, source := range r.Sources {
		s.at = recording.Place{Source: source.Name}
		source.Creator = s.known1(s.text(source.Creator))
		out.Sources = append(out.Sources, source)
	}
	for i := range r.Exchanges {
		out.Exchanges = append(out.Exchanges, s.exchange(r.Exchanges[i]))
	}
	for _, w := range r.Received {
		s.at = w.Place
		s.meetReceiver(w.URL, w.Header)
		body, _ := s.content(w.Body, w.Header)
		w.Header, w.URL = s.headers(w.Header), s.address(w.URL)
		resized(w.Header, w.Body, body)
		w.Body = body
		w.Log = slices.Clone(w.Log)
		for i := range w.Log {
			if d := &w.Log[i]; d.Kind == recording.Refused {
				d.Line = s.known1(s.words(s.text(d.Line)))
			} else if d.Line != "" {
				d.Line = s.line(d.Line)
			}
		}
		out.Received = append(out.Received, w)
	}
	for _, skipped := range r.Skipped {
		s.at = skipped.Place
		skipped.Why = s.known1(s.text(skipped.Why))
		out.Skipped = append(out.Skipped, skipped)
	}
	return out
}

// line is a line of a log.
func (s *Scrubber) line(said string) string {
	s.report.unread(s.at, "a line of a log was looked through for forms alone, not by names")
	return s.known1(s.words(s.text(said)))
}

func (s *Scrubber) exchange(x recording.Exchange) recording.Exchange {
	s.at = x.Place
	path := s.path(x.Path)
	if path != x.Path {
		x.StandIns = append(slices.Clone(x.StandIns), "path")
	}
	x.Path, x.Query = path, s.query(x.Query)
	x.Link = s.known1(s.words(s.text(x.Link)))
	x.CameBack, x.TooSoon = s.known1(s.text(x.CameBack)), s.known1(s.text(x.TooSoon)) // which quote a log
	body, read := s.content(x.Body, x.Header)
	x.Header, x.BodyMissing = s.headers(x.Header), x.BodyMissing || !read
	x.StandIns = append(slices.Clone(x.StandIns), otherwise(x.Body, body)...)
	resized(x.Header, x.Body, body)
	x.Body = body
	if body, read = s.content(x.Answer.Body, x.Answer.Header); !read {
		x.Answer.Known = recording.WithoutBody
	}
	x.Answer.Header = s.headers(x.Answer.Header)
	resized(x.Answer.Header, x.Answer.Body, body)
	x.Answer.Body = body
	return x
}

// longestFirst replaces many texts in one walk, however many there are. Of two of which
// one begins with the other the longer is looked for first.
func longestFirst(standIns map[string]string) *strings.Replacer {
	values := slices.SortedFunc(maps.Keys(standIns), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(values))
	for _, value := range values {
		pairs = append(pairs, value, standIns[value])
	}
	return strings.NewReplacer(pairs...)
}

// replace is a value's stand-in, counted; a stand-in stays. A secret is known from then on.
func (s *Scrubber) replace(k kind, value string) string {
	if k == person || k == company || k == email {
		k = instead(k, value)
	}
	was := standing{k, value}
	switch {
	case k == keep || s.o.KeepData && k.personal() || s.made[was], k == email && ofTime().MatchString(value):
		return value // a "to" is the end of a time, too
	case recording.Struck(value):
		return struckOut // it stays known as such, without the part of it that may be left
	}
	return s.replaced(was)
}

// ofTime is a day, or a time of one.
var ofTime = trail.Pattern(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{5,18}(?:Z|[+ -][0-9]{2}:?[0-9]{2})?)?$`)

// replaced is the stand-in of a value that is to be replaced.
func (s *Scrubber) replaced(was standing) string {
	k, value := was.kind, was.value
	out, again := s.given[was]
	if !again {
		out = s.standIn(k, value)
		s.given[was] = out
		if len(out) >= 8 { // what is shorter may be a value of its own
			s.made[standing{k, out}] = true
		}
	}
	if out == value {
		return value
	}
	s.report.count(k)
	if s.learning {
		s.meet(k, value, out)
	}
	if !k.personal() && k != card && k != code && k != proof && len(value) >= 8 {
		s.known[value] = out
	}
	return out
}

// known1 is a text without the secrets that are known by value, and the partner's domains.
func (s *Scrubber) known1(text string) string {
	text = s.withoutSites(text)
	if s.learning || len(text) < 8 {
		return text
	}
	clean := s.replacer.Replace(text)
	if clean != text {
		s.report.count(secret)
	}
	return clean
}

// struckOut stands for a value that was struck out before.
const struckOut = "[redacted]"

// headers are headers without secrets.
func (s *Scrubber) headers(list []tape.Header) []tape.Header {
	out := slices.Clone(list)
	for i := range out {
		h := &out[i]
		if low := strings.ToLower(h.Name); low == "origin" || low == "referer" {
			s.meetPages("website", h.Value)
		}
		switch k := header(h.Name); k {
		case password, token:
			h.Value = s.authorization(h.Value)
		case cookie:
			h.Value = s.cookies(h.Name, h.Value)
		case keep:
			switch {
			case suits(directly(bare(h.Name)), h.Value) && !plain(h.Name):
				h.Value = s.replace(directly(bare(h.Name)), h.Value)
			case !plain(h.Name):
				h.Value = s.words(s.text(h.Value))
			case slices.Contains(ofPartner, strings.ToLower(h.Name)):
				h.Value = s.text(h.Value)
			default:
				h.Value = s.forms(h.Value)
			}
		default:
			h.Value = s.replace(k, h.Value)
		}
		if strings.Contains(h.Value, "://") {
			h.Value = s.address(h.Value)
		}
		h.Value = s.known1(h.Value)
		if header(h.Name) != proof {
			s.suspect(h.Value, "header "+h.Name)
		}
	}
	return out
}

// authorization keeps the scheme.
func (s *Scrubber) authorization(value string) string {
	scheme, credential, _ := cutScheme(value)
	if strings.EqualFold(strings.TrimSpace(scheme), "Bearer") {
		return scheme + s.replace(token, credential)
	}
	return scheme + s.replace(password, credential)
}

// cookies keep their names, and what says how a cookie is kept.
func (s *Scrubber) cookies(name, value string) string {
	parts := strings.Split(value, ";")
	for i, part := range parts {
		key, v, ok := strings.Cut(part, "=")
		if strings.EqualFold(name, "Set-Cookie") && i > 0 || !ok && strings.EqualFold(name, "Set-Cookie") {
			continue
		}
		if !ok {
			parts[i] = s.replace(cookie, part)
			continue
		}
		parts[i] = key + "=" + s.replace(cookie, v)
	}
	return strings.Join(parts, ";")
}

// suspect lists what may have been missed.
func (s *Scrubber) suspect(value, where string) {
	if s.learning || strings.Contains(value, "scrubbed-") {
		return
	}
	for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return strings.ContainsRune(" \t,;\"'()<>&=?:", r) || r == '/' }) {
		if looksRandom(word) && !strings.HasPrefix(word, "eyJ") {
			s.report.suspect(s.at, where)
			return
		}
	}
}
