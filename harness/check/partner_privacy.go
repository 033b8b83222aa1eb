package check

import (
	"net/url"
	"strings"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// privacyClauses are the checks on where personal data stands.
func privacyClauses() []Check {
	return []Check{
		partnerCheck("partner.privacy.urls", "Addresses hold no personal data",
			private(addresses, "send personal data in bodies only; name people in addresses by ids", "make any call about a person")),
		partnerCheck("partner.privacy.references", "References and idempotency keys hold no personal data",
			private(references, "make references and keys of your own numbers, or at random", "request a payment for a person")),
		partnerCheck("partner.privacy.free-text", "Descriptions and metadata hold no personal data",
			private(freeTexts, "say in descriptions what is paid for, and put ids into metadata, not people", "request a payment for a person")),
	}
}

// written is a text that a partner has written, and where.
type written struct{ where, text string }

// private judges the texts that pick finds in calls. pick says false for a call
// that the clause is not about.
func private(pick func(e *tape.Entry) ([]written, bool), hint, exercise string) func(*Tape) []verdict.Judgement {
	return func(t *Tape) []verdict.Judgement {
		var y verdict.Tally
		known := t.folk()
		for i := range t.Entries {
			e := &t.Entries[i]
			if e.Omitted > 0 || e.Exchange == nil {
				continue
			}
			texts, about := pick(e)
			if !about {
				continue
			}
			clean := true
			for _, w := range texts {
				if what := known.in(w.text); what != "" {
					clean = false
					y.Fail("no personal data in the "+w.where, what, hint, e.Seq)
				}
			}
			if clean && known.any() {
				y.Holds(e.Seq)
			}
		}
		if y.Held() > 0 {
			t.omitted(&y, tape.KindExchange)
		}
		return y.Exercised(exercise)
	}
}

// addresses are the addresses that a partner has called or given.
func addresses(e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	b := read(x.Request.Body)
	switch {
	case e.Kind == tape.KindControl && x.Operation == "addWebhook":
		return []written{{"webhook's address", unescaped(b.text("url"))}}, true
	case e.Kind != tape.KindExchange:
		return nil, false
	}
	list := []written{{"path", unescaped(x.Path)}, {"query", unescaped(x.Query)}}
	for _, name := range []string{"redirectUrl", "returnUrl"} {
		if v := b.text(name); v != "" {
			list = append(list, written{name, unescaped(v)})
		}
	}
	if v := b.text("attachment"); strings.HasPrefix(v, "http") {
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
func references(e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	if e.Kind != tape.KindExchange || !charges(x.Operation) && !strings.HasPrefix(x.Operation, "refundPayment") &&
		x.Operation != "createCompany" && x.Operation != "registerCardPayment" && x.Operation != "registerUser" {
		return nil, false
	}
	var list []written
	b := read(x.Request.Body)
	for _, name := range []string{"reference", "companyReferenceId", "patientReferenceNumber", "merchantId"} {
		if v := b.text(name); v != "" {
			list = append(list, written{name, v})
		}
	}
	if key, ok := header(x.Request.Header, "Idempotency-Key"); ok {
		list = append(list, written{"Idempotency-Key", key})
	}
	return list, true
}

// freeTexts are the texts that are passed on to people and banks.
func freeTexts(e *tape.Entry) ([]written, bool) {
	x := e.Exchange
	if e.Kind != tape.KindExchange || !charges(x.Operation) && !strings.HasPrefix(x.Operation, "refundPayment") && x.Operation != "registerUser" {
		return nil, false
	}
	var list []written
	b := read(x.Request.Body)
	for _, name := range []string{"shortDescription", "description"} {
		if v := b.text(name); v != "" {
			list = append(list, written{name, v})
		}
	}
	return append(list, within("metadata", b.get("metadata"))...), true
}

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
		}
	}
	return list
}
