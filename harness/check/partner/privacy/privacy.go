package privacy

import (
	"net/url"
	"strings"
	"unicode"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// written is a text that a partner has written, and where.
type written struct{ where, text string }

// personalDataIn judges the texts that pick finds in calls. pick says false for a call
// that the clause is not about. cards looks for cards' numbers, too: not where a partner's
// own number may be as long.
func personalDataIn(pick func(t *trail.Trail, e *tape.Entry) ([]written, bool), cards bool) trail.Judge {
	return func(t *trail.Trail) []verdict.Judgement {
		var y verdict.Tally
		known := knownPeople(t)
		for i := range t.Entries {
			e := &t.Entries[i]
			if e.Omitted > 0 || e.Exchange == nil {
				continue
			}
			texts, about := pick(t, e)
			if !about {
				continue
			}
			clean := true
			for _, w := range texts {
				what := known.in(w.text)
				if what == "" && cards && card(w.text) {
					what = "a card's number"
				}
				if what != "" {
					clean = false
					y.Fail("no personal data in the "+w.where, what, e.Seq)
				}
			}
			if clean && known.any() {
				y.Holds(e.Seq)
			}
		}
		if y.Held() > 0 {
			t.Omitted(&y, tape.KindExchange)
		}
		return y.Exercised()
	}
}

// addresses are the addresses that a partner has called or given.
func addresses(t *trail.Trail, e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	webhook := e.Kind == tape.KindControl && x.Operation == "addWebhook"
	if !webhook && e.Kind != tape.KindExchange {
		return nil, false
	}
	b := t.Sent(x)
	if webhook {
		return []written{{"webhook's address", unescaped(b.Text("url"))}}, true
	}
	list := []written{{"path", unescaped(x.Path)}, {"query", unescaped(x.Query)}}
	for _, name := range []string{"redirectUrl", "returnUrl"} {
		if v := b.Text(name); v != "" {
			list = append(list, written{name, unescaped(v)})
		}
	}
	if v := b.Text("attachment"); strings.HasPrefix(v, "http") {
		list = append(list, written{"attachment's address", unescaped(v)})
	}
	return list, true
}

// unescaped is an address as a person reads it, and as it is written: a plus
// sign can be one, or a space.
func unescaped(address string) string {
	plain, err := url.PathUnescape(address)
	if err != nil {
		return address
	}
	if twice, err := url.PathUnescape(plain); err == nil {
		plain = twice
	}
	return plain
}

// references are the names that a partner has given to what it has made.
func references(t *trail.Trail, e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	if e.Kind != tape.KindExchange || !trail.OperationOf(x).Named {
		return nil, false
	}
	var list []written
	b := t.Sent(x)
	for _, name := range []string{"reference", "companyReferenceId", "patientReferenceNumber", "merchantId"} {
		if v := b.Text(name); v != "" {
			list = append(list, written{name, v})
		}
	}
	if key, ok := trail.Header(x.Request.Header, "Idempotency-Key"); ok {
		list = append(list, written{"Idempotency-Key", key})
	}
	return list, true
}

// freeTexts are the texts that are passed on to people and banks.
func freeTexts(t *trail.Trail, e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	if e.Kind != tape.KindExchange || !trail.OperationOf(x).Texts {
		return nil, false
	}
	var list []written
	b := t.Sent(x)
	for _, name := range []string{"shortDescription", "description"} {
		if v := b.Text(name); v != "" {
			list = append(list, written{name, v})
		}
	}
	return append(list, within("metadata", b.Get("metadata"))...), true
}

// spaced is the name of a member, as dateOfBirth or date_of_birth, in words.
func spaced(name string) string {
	var words strings.Builder
	for i, r := range strings.ReplaceAll(name, "_", " ") {
		if i > 0 && unicode.IsUpper(r) {
			words.WriteByte(' ')
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return words.String()
}

// longestDate is within how many bytes of a text a date stands at its beginning.
const longestDate = 40

// within lists the names and values in a free-form member, at any depth.
func within(where string, v any) []written {
	var list []written
	switch v := v.(type) {
	case string:
		list = append(list, written{where, v})
	case interface{ String() string }: // a number, as it is written
		list = append(list, written{where, v.String()})
	case []any:
		for _, item := range v {
			list = append(list, within(where, item)...)
		}
	case map[string]any:
		for _, name := range sorted(v) {
			list = append(list, written{where, name})
			list = append(list, within(where, v[name])...)
			if value, is := v[name].(string); is { // the name may say that the value is a date of birth
				if text := spaced(name) + ": " + value[:min(len(value), longestDate)]; birthForm().MatchString(text) {
					list = append(list, written{where, text})
				}
			}
		}
	}
	return list
}
