package receiver

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Ignored reads from the lines of the files which late returns their receiver says that it did nothing about: events that tell of
// a payment as Failed which the recording has shown as Paid before.
func Ignored(files []source.File, r *recording.Recording) {
	places, looked := placesOf(r), 0
	for i := range r.Received {
		w := &r.Received[i]
		id := returned(r, i)
		if id == "" || w.Did(recording.Ignored) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		n := ignored{subjects: subjects(r, w), others: othersThan(r, id)}
		for _, f := range files {
			n.file(&f, w, places[f.Name], turned(r, f.Name))
		}
		if !n.heeded {
			w.Tell(recording.Ignored, some(n.said)...)
		}
	}
}

// returned is the id of the payment that a webhook tells was returned after it was Paid; "" for any other, also for one that came
// before: it may be ignored for that.
func returned(r *recording.Recording, i int) string {
	w := &r.Received[i]
	d := trail.ReadBody(w.Body).Object("Data")
	id := d.Text("PaymentId")
	if id == "" || d.Text("Status") != "Failed" || recording.Struck(id) || w.Signature == recording.Wrong {
		return ""
	}
	paid := false
	for j := range r.Received[:i] {
		before := trail.ReadBody(r.Received[j].Body).Object("Data")
		if r.Received[j].Says() == w.Says() {
			return ""
		}
		paid = paid || strings.EqualFold(before.Text("PaymentId"), id) && before.Text("Status") == "Paid"
	}
	return map[bool]string{true: id}[paid || slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		shown := trail.ReadBody(x.Answer.Body)
		return !x.Begin.IsZero() && x.Begin.Before(w.At) && strings.EqualFold(shown.Text("id"), id) && shown.Text("status") == "Paid"
	})]
}

// othersThan are the ids of the payments that a recording's webhooks tell of, but for one.
func othersThan(r *recording.Recording, id string) []string {
	var list []string
	for i := range r.Received {
		if other := trail.ReadBody(r.Received[i].Body).Object("Data").Text("PaymentId"); len(other) > 3 && !strings.EqualFold(other, id) && !slices.Contains(list, other) && len(list) < mostAgain {
			list = append(list, other)
		}
	}
	return list
}

// turned says whether a file tells the newest first.
func turned(r *recording.Recording, file string) bool {
	first, last := 0, 0
	for i := range r.Received {
		if p := r.Received[i].Place; p.Source == file && p.Line > 0 && !r.Received[i].At.IsZero() {
			if last = p.Line; first == 0 {
				first = last
			}
		}
	}
	return last < first
}

// ignored are the lines of a log that tell what became of a late return.
type ignored struct {
	subjects, others []string
	// said tells that nothing was done about it; heeded says that something was.
	said   string
	heeded bool
}

// file looks through the lines of a file: those behind the webhook, before anything else that the file tells, and those that name
// its payment, but for what was before.
func (n *ignored) file(f *source.File, w *recording.Received, places []int, turned bool) {
	of := f.Name == w.Place.Source && w.Place.Line > 0
	from, to := behindOf(w, places, turned)
	at := 0
	for line := range strings.Lines(string(f.Head(mostText))) {
		if at++; at > mostLines {
			return
		}
		own := of && at == w.Place.Line
		if own { // what it says beside the event
			line = beside(line, w.Body)
		}
		if line = strings.TrimSpace(line); line == "" || len(line) > longest && !own || of && !own && (at < w.Place.Line) != turned {
			continue
		}
		n.line(line, own || of && from <= at && at <= to)
	}
}

// line takes what a line says, near to the webhook or elsewhere.
func (n *ignored) line(line string, near bool) {
	named := contains(line, n.subjects)
	switch {
	case !near && !named || contains(line, n.others) || notDone().MatchString(line):
	case heeds(line):
		n.heeded = true
	case n.said != "" || !passedBy().MatchString(line) || known().MatchString(line):
	case near && ofEvent().MatchString(line), named && ofFailure().MatchString(line):
		n.said = strings.TrimSpace(moments().ReplaceAllString(spoken(line, passedBy()), ""))
	}
}

// heeds says whether a line tells that something was done about it: what it says can or will not be done was not.
func heeds(line string) bool {
	for _, at := range heeding().FindAllStringIndex(line, mostEffect) {
		if !denied().MatchString(line[max(0, at[0]-30):at[0]]) {
			return true
		}
	}
	return false
}

// spoken is what a line says: of an object the text in which a pattern is found.
func spoken(line string, pattern *regexp.Regexp) string {
	var members map[string]any
	if json.Unmarshal([]byte(line), &members) == nil {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if text, _ := members[name].(string); pattern.MatchString(text) {
				line = text
				break
			}
		}
	}
	return level().ReplaceAllString(line[:min(len(line), longest)], "")
}

// level is what a logger puts before a message, with how grave it is.
var level = trail.Pattern(`^.{0,200}?(?:\[(?:debug|info|notice|warn(?:ing)?|error)\][: \t-]*|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR)\b[\]:| \t-]*)(?:[0-9]{1,8} --- (?:\[[^\]\n]{0,60}\] {0,4}){1,3}[A-Za-z0-9_.$\[\]/]{1,80} {0,40}: )?`)

// behindOf are the first and last line that stand behind a webhook in its file; above it, where the newest come first.
func behindOf(w *recording.Received, places []int, turned bool) (from, to int) {
	at := w.Place.Line
	next, _ := slices.BinarySearch(places, at+1)
	before, _ := slices.BinarySearch(places, at)
	switch {
	case turned && before > 0:
		return max(at-mostRefused, places[before-1]+1), at - 1
	case turned:
		return at - mostRefused, at - 1
	case next < len(places):
		return at + 1, min(at+mostRefused, places[next]-1)
	default:
		return at + 1, at + mostRefused
	}
}

// beside is a webhook's own line without its event.
func beside(line string, body []byte) string {
	if i := strings.IndexByte(line, '{'); i > 0 && bytes.HasPrefix(body, []byte("{")) && !strings.Contains(line, string(body)) {
		return line[:i] // it is written otherwise there
	}
	return strings.ReplaceAll(line, string(body), "")
}

func contains(line string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) })
}

var (
	// passedBy are words of a line that tells that nothing was done about an event, in the languages of effects; known of an event
	// that was passed over since it, or what it asks for, was there before; notDone of what a line only says might be.
	passedBy = trail.Pattern(`(?i)\b(?:skip(?:ped|ping|s)?|ignor(?:ed|ing|es|e)|paid (?:->|=>|→|to) failed (?:was )?(?:rejected|refused|denied|not applied)|paid is (?:a )?(?:terminal|final)|keeping (?:local|ours?|paid)|leav(?:e|ing) (?:it )?as (?:it )?is|left as (?:it )?is|unhandled|not handled|no handler|no-?op|nothing to do|dropped|discard(?:ed|ing)?|übersprungen|überspringe|ignoriert?|verworfen|ignorée?s?|ignoré|non gérée?|sautée?|se omite|omitiendo|omitimos|se ignora|ignorando|se descarta|sin cambios|ignorad[oa]|omitid[oa]|descartad[oa]|no manejad[oa]|não tratad[oa]|pulando|pulad[oa]|saltat[oa]|si ignora|ignor[a]t[oa]|pominięt[oa]|pomijam|zignorowan[oey]|genegeerd|overgeslagen)(?:\b|[^\p{L}]|$)`)
	known    = trail.Pattern(`(?i)\b(?:already (?:processed|handled|seen|received|refunded|reversed|revoked|cancel+ed|returned|failed)|duplicate|dup|seen before|known event|idempotent|once before|bereits (?:verarbeitet|bearbeitet)|doppelt|duplikat|déjà (?:traitée?|reçue?)|doublon|ya (?:procesad|recibid)\pL*|duplicad[oa]|já (?:processad|recebid)\pL*|duplicat[oa]|dubbel)(?:\b|[^\p{L}]|$)`)
	notDone  = trail.Pattern(`(?i)\b(?:not (?:ignor|skipp)\pL*|never (?:ignore|skip)\pL*|won't (?:ignore|skip)|if|unless|(?:header|parameter|param|field|member|column|property|attribute|argument|option|flag|cookie)s?\b[^.;]{0,40}(?:ignored|skipped))\b|\b(?:ignor|skipp)(?:ed|ing|e) (?:unknown )?(?:header|parameter|param|field|member|column|property|attribute|argument|option|flag|cookie|case)s?\b`)
	// denied stands before words of what was not done.
	denied = trail.Pattern(`(?i)(?:\b(?:not|never|no|cannot|without|nicht|nie|kein\w*|jamais|nunca|ne peut)|n['’]t)\b(?: (?:be|been|being|to|get|was|were|have|has|yet|it|mehr|werden|être|se))*[ "']*$`)
	// ofEvent are words by which a line behind an event speaks of it; ofFailure those by which one elsewhere speaks of this one.
	ofEvent   = trail.Pattern(`(?i)\b(?:event|ereignis|événement|evento|status|statut|stato|estado|state|web-?hook|hook|callback|notification|message|update|payment|zahlung|paiement|pago|pagamento|failed|returned|return|rücklastschrift|transition|PAYMENT_STATUS_CHANGED)|(?:ignor(?:ed|ing)|skip(?:ped|ping)?|unhandled|not handled|no-?op)["'.]*\W*$|"(?:ignored|skipped|unhandled|noop)"`)
	ofFailure = trail.Pattern(`(?i)\bfailed\b|\breturn(?:ed)?\b|\blate\b|PAYMENT_STATUS_CHANGED|\bR[0-9]{2}\b`)
	// heeding are words of a line that tells that what was given is taken back, or that somebody is to see to it.
	heeding = trail.Pattern(`(?i)\b(?:revok(?:ed|ing|e)|revers(?:ed|ing|al)|taken back|take back|took back|clawback|claw(?:ed)? back|suspend(?:ed|ing)?|deactivat(?:ed|ing)|cancel+(?:ed|ing) (?:order|booking|membership|subscription|shipment|invoice|the order)|order \S+ cancel+ed|re-?open(?:ed|ing)?|marked (?:as )?(?:unpaid|failed|returned|open)|set to (?:unpaid|failed|returned|open)|dunning|chargeback|unpaid again|locked|blocked|debt|collections?|alert(?:ed)?|notified|ticket|manual(?:ly)? review|for review|parked|quarantined?|dead[- ]?letter(?:ed)?|dlq|storniert|zurückgenommen|gesperrt|widerrufen|annulée?|révoquée?|suspendu|anulad[oa]|revocad[oa]|suspendid[oa]|estornad[oa]|cancelad[oa]|bloquead[oa]|revocat[oa]|sospes[oa]|geblokkeerd|teruggedraaid)(?:\b|[^\p{L}]|$)`)
)
