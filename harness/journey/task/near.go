package task

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

const (
	// mostNear is how many near misses of one task are told, mostFaults how many
	// remarks about one of them.
	mostNear   = 5
	mostFaults = 4
	// longest is how much is told of a value, in characters.
	longest = 60
)

// nears tells once of each call that comes near what is waited for, and is not it.
func (p *Partner) nears(in *Intent) {
	if p.Progress == nil {
		return
	}
	for i := range p.Tape.Entries {
		e := &p.Tape.Entries[i]
		if e.Exchange == nil || e.Kind != tape.KindExchange || e.Seq <= max(in.since, in.seen) {
			continue
		}
		in.seen = e.Seq
		if text := p.nearly(in, e); text != "" && in.near < mostNear {
			in.near++
			p.Progress(text)
		}
	}
}

// nearly says why a call is not what an intent takes; "" when it is, or has
// nothing to do with it.
func (p *Partner) nearly(in *Intent, e *tape.Entry) string {
	x := e.Exchange
	where := at(e)
	switch {
	case x.Operation == "" && x.Response.Status >= 400:
		return fmt.Sprintf("%s is no call of the API (%d)", where, x.Response.Status)
	case !slices.Contains(in.calls(), x.Operation) || p.claimed[e.Seq] || p.differs(in, e) == "" || p.another(in, e):
		return ""
	case x.Fault != "":
		return where + " was answered with " + StatusText(x.Response.Status) + " on purpose; the story waits for a better one"
	case x.Response.Status == http.StatusUnauthorized:
		return where + " " + tokenText(x.Auth) + " (401)"
	case x.Response.Status == 0:
		return where + " got no answer"
	case x.Response.Status >= 400:
		return fmt.Sprintf("%s was refused with %d: %s", where, x.Response.Status, faults(e))
	case in.Refused && (in.Fits == nil || in.Fits(trail.CallOf(e))):
		return fmt.Sprintf("%s was answered with %d, and the story expects that it is refused", where, x.Response.Status)
	default:
		return where + " " + otherwise(in, trail.CallOf(e))
	}
}

// at says which entry a call is.
func at(e *tape.Entry) string {
	return fmt.Sprintf("entry #%d, %s %s,", e.Seq, e.Exchange.Method, e.Exchange.Path)
}

// inBrief writes near misses one after the other, the last few, and those that
// differ by nothing but the entry once.
func inBrief(near []string) string {
	var list []string
	same := 0
	for i, text := range near {
		_, what, _ := strings.Cut(text, ", ")
		if i+1 < len(near) && strings.HasSuffix(near[i+1], ", "+what) {
			same++
			continue
		}
		if same > 0 {
			text += fmt.Sprintf(" (as %d before it)", same)
		}
		list, same = append(list, text), 0
	}
	return strings.Join(list[max(0, len(list)-mostNear):], "; then ")
}

// another says whether a call is what the partner is to do some time later.
func (p *Partner) another(in *Intent, e *tape.Entry) bool {
	return slices.ContainsFunc(p.later, func(l *Intent) bool {
		return l != in && l.Fits != nil && l.Do == e.Exchange.Operation && l.Fits(trail.CallOf(e))
	})
}

// tokenText says what was wrong with a call's token.
func tokenText(auth string) string {
	switch auth {
	case tape.AuthMissing:
		return "came without a token"
	case tape.AuthExpired:
		return "came with a token that has expired"
	case tape.AuthRevoked:
		return "came with a token that has been withdrawn"
	default:
		return "came with a token that does not count"
	}
}

// faults says what the service found wrong with a call that it refused.
func faults(e *tape.Entry) string {
	answers := trail.ReadBody(e.Exchange.Response.Body)
	list := remarks(answers)
	switch detail := answers.Text("detail"); {
	case len(list) > mostFaults:
		list = append(list[:mostFaults], fmt.Sprintf("and %d more (see its findings)", len(list)-mostFaults))
	case len(list) == 0 && detail != "":
		list = []string{detail}
	case len(list) == 0:
		list = []string{"see its findings"}
	}
	return strings.Join(list, "; ")
}

// remarks are the findings of a refusal in words, but for those that are mere
// advice.
func remarks(answers trail.Body) []string {
	var list []string
	for _, f := range answers.List("findings") {
		if advisory, _ := f.Get("advisory").(bool); advisory || f.Text("expected") == "" {
			continue
		}
		where := strings.ReplaceAll(strings.TrimPrefix(f.Text("pointer"), "/"), "/", ".")
		list = append(list, cmp.Or(where, "the body")+": expected "+f.Text("expected"))
	}
	return list
}

// otherwise says which values a call has, and which are expected.
func otherwise(in *Intent, c *trail.Call) string {
	w := ways[in.Do]
	names := w.by
	if names == nil {
		names = w.order(in.With)
	}
	var has, wanted []string
	for _, name := range names {
		want, given := in.With[name], c.Sent().Get(name)
		switch {
		case want == nil || c.About(fmt.Sprint(want)) || given != nil && alike(given, want):
			continue
		case given == nil && name == CompanyMember:
			continue // there are other ways to name the company
		case strings.Contains(w.path, "{"+name+"}"):
			has = append(has, "another "+name)
		case given == nil:
			has = append(has, "no "+name)
		default:
			has = append(has, name+" "+short(valueText(given)))
		}
		wanted = append(wanted, name)
	}
	if len(has) == 0 {
		return "has not the values that the story expects"
	}
	return "has " + strings.Join(has, " and ") + "; the story expects " + pairs(in.With, wanted)
}

// CompanyMember is one of the members that name the company of a payment.
const CompanyMember = "companyReferenceId"

// short is the beginning of a long text.
func short(text string) string {
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// alike says whether two values are the same text or number; of others it is
// enough that they are there.
func alike(a, b any) bool {
	switch b.(type) {
	case map[string]any, []any:
		return true
	default:
		return strings.EqualFold(fmt.Sprint(a), fmt.Sprint(b))
	}
}
