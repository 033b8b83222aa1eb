package random

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/schema"
)

// mostKnown bounds what is remembered under one name.
const mostKnown = 40

// known are ids and such that answers have told, by the names of their members in lower
// case, the last one at the end.
type known map[string][]string

// alias are members that take what is told under other names.
var alias = map[string]string{
	"registrationuserid": "registrationid", "verificationid": "registrationid", "i": "integration", "s": "snapshots", "entity": "entities",
	"event": "events", "endpoint": "webhooks", "cursor": "nextcursor", "after": "next", "at": "seq", "since": "seq",
	"from": "integration",
}

// kinds are how paths of the control API call the things that members of a name are ids of.
var kinds = map[string]string{
	"companyid": "companies", "registrationid": "registrations", "paymentrequestid": "payments", "paymentplanid": "plans", "consentid": "consents",
}

// add remembers a value under a name, and under the kind that it is an id of.
func (k known) add(name, value string) {
	name = strings.ToLower(name)
	if kind, ok := kinds[name]; ok {
		k.add(kind, value)
	}
	list := slices.DeleteFunc(k[name], func(v string) bool { return v == value })
	k[name] = append(list, value)[max(0, len(list)+1-mostKnown):]
}

// of is what is known under a name, or under a longer one that ends with it.
func (k known) of(name string) []string {
	name = strings.ToLower(name)
	if as, ok := alias[name]; ok {
		name = as
	}
	if list := k[name]; list != nil || !strings.HasSuffix(name, "id") || name == "id" {
		return list
	}
	var list []string
	for _, other := range sorted(k) {
		if strings.HasSuffix(other, name) {
			list = append(list, k[other]...)
		}
	}
	return list
}

// learn remembers the ids of an answer: those of members called …Id under their names,
// those of members called id under the name of their list, and of a thing that says its
// kind under that. Addresses of pages are remembered as such.
// The thing that a call has made is one of a list, too.
func (k known) learn(list string, body []byte) {
	value, err := schema.Value(body)
	if err != nil {
		return
	}
	k.within(list, value)
}

func (k known) within(list string, value any) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			if text, ok := e.(string); ok && strings.HasSuffix(list, "Ids") {
				k.add(strings.TrimSuffix(list, "s"), text)
			}
			k.within(list, e)
		}
	case map[string]any:
		kind, _ := v["kind"].(string)
		for _, name := range sorted(v) {
			switch e := v[name].(type) {
			case string:
				k.text(list, kind, name, e)
			case json.Number:
				if name == "seq" || name == "next" {
					k.add(name, e.String())
				}
			default:
				k.within(name, e)
			}
		}
	case string:
		k.page(v)
	}
}

// text remembers a text member of an object in a list.
func (k known) text(list, kind, name, value string) {
	k.page(value)
	low := strings.ToLower(name)
	switch {
	case value == "":
	case low == "id" && kind != "":
		k.add(plural(kind), value)
		k.add("entities", value)
	case low == "id" || low == "name" && list == "snapshots":
		k.add(list, value)
	case low == "nextcursor" || low == "next":
		k.add(low, value)
	case strings.HasSuffix(low, "id"):
		k.add(low, value)
		k.add("entities", value)
	}
}

// page remembers the address of one of the service's pages.
func (k known) page(value string) {
	if strings.Contains(value, "://") && strings.Contains(value, "/pages/") && !strings.ContainsAny(value, " <") {
		k.add(pages, value)
	}
}

// pages is the name under which addresses of pages are known.
const pages = "pages"

// plural is how a path of the control API calls a kind of things.
func plural(kind string) string {
	switch {
	case kind == "card-authorisation":
		return "cards"
	case strings.HasSuffix(kind, "y"):
		return strings.TrimSuffix(kind, "y") + "ies"
	default:
		return kind + "s"
	}
}

func whole(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}
