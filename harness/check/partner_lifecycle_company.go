package check

import (
	"net/url"
	"strings"

	"paysandbox/mockserver/tape"
)

// companies say which company a call is about: it can be named by its id, its
// reference, or one of its locations.
type companies struct {
	byRef, byLocation map[string]string
	// first is the company that is meant when none is named, "" when not known.
	first string
}

// companies reads them from the calls that have created and listed them.
func (t *Tape) companies() *companies {
	c := &companies{byRef: map[string]string{}, byLocation: map[string]string{}}
	for e := range t.of(tape.KindExchange) {
		if served(e.Exchange) {
			c.learn(e.Exchange, t.Meta.Dropped == 0)
		}
	}
	return c
}

// learn reads one call. whole says whether the tape has its beginning.
func (c *companies) learn(x *tape.Exchange, whole bool) {
	answer := read(x.Response.Body)
	switch x.Operation {
	case "createCompany":
		id := strings.ToLower(answer.text("companyId"))
		c.byRef[strings.ToLower(read(x.Request.Body).text("companyReferenceId"))], c.byRef[id] = id, id
		for _, location := range answer.texts("locationIds") {
			c.byLocation[strings.ToLower(location)] = id
		}
		if c.first == "" && whole {
			c.first = id
		}
	case "addLocation":
		c.byLocation[strings.ToLower(answer.text("locationId"))] = c.ofPath(x)
	case "listLocations":
		for _, l := range answer.list("locations") {
			c.byLocation[strings.ToLower(l.text("id"))] = c.ofPath(x)
		}
	case "listCompanies":
		for _, l := range answer.list("companies") {
			id := strings.ToLower(l.text("id"))
			c.byRef[strings.ToLower(l.text("referenceId"))], c.byRef[id] = id, id
		}
	}
}

// texts gives a member that is a list of texts.
func (b body) texts(name string) []string {
	var found []string
	list, _ := b.get(name).([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			found = append(found, s)
		}
	}
	return found
}

// list gives a member that is a list of objects.
func (b body) list(name string) []body {
	var found []body
	list, _ := b.get(name).([]any)
	for _, v := range list {
		if m, ok := v.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

// ofPath is the company in the path of a call, "" for none or an unknown one.
func (c *companies) ofPath(x *tape.Exchange) string {
	parts := strings.Split(x.Path, "/")
	if len(parts) < 3 || !strings.EqualFold(parts[1], "Company") {
		return ""
	}
	ref, err := url.PathUnescape(parts[2])
	if err != nil {
		return ""
	}
	return c.byRef[strings.ToLower(ref)]
}

// of is the company that a call is about, "" for none or an unknown one.
func (c *companies) of(x *tape.Exchange) string {
	switch x.Operation {
	case "createPayment", "authoriseCard", "chargeSavedCard", "createPlan", "createRecurring", "requestDebitAuthorisation":
		return c.ofBody(read(x.Request.Body))
	case "getDefaultCompanyStatus":
		return c.ofQuery(x)
	default:
		return c.ofPath(x)
	}
}

// ofBody is the company that a body names, else the first.
func (c *companies) ofBody(b body) string {
	for _, named := range []struct {
		value string
		known map[string]string
	}{{b.text("locationId"), c.byLocation}, {b.text("companyId"), c.byRef}, {b.text("companyReferenceId"), c.byRef}} {
		if named.value != "" {
			return named.known[strings.ToLower(named.value)]
		}
	}
	return c.first
}

// ofQuery is the company that a query names, else the first.
func (c *companies) ofQuery(x *tape.Exchange) string {
	for _, name := range []string{"companyId", "companyReferenceId"} {
		if v := argument(x, name); v != "" {
			return c.byRef[strings.ToLower(v)]
		}
	}
	return c.first
}

// argument gives a parameter of the query, whatever the case of its name.
func argument(x *tape.Exchange, name string) string {
	for arg := range strings.SplitSeq(x.Query, "&") {
		key, value, _ := strings.Cut(arg, "=")
		if strings.EqualFold(key, name) {
			if plain, err := url.QueryUnescape(value); err == nil {
				return plain
			}
		}
	}
	return ""
}

// names says whether a call is about a resource: by its id anywhere, or for a
// company also by its reference or a location.
func (c *companies) names(e *tape.Entry, id string) bool {
	x := e.Exchange
	if id == "" || x == nil || tokenCall(x.Operation) {
		return false
	}
	for _, named := range e.Entities {
		if strings.EqualFold(named, id) {
			return true
		}
	}
	return strings.Contains(strings.ToLower(x.Path+"?"+x.Query), id) ||
		strings.Contains(strings.ToLower(string(x.Request.Body)), id) || c.of(x) == id
}
