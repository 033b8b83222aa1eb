package trail

import (
	"bytes"
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
func (t *Trail) companies() *companies { return Once(t, "companies", t.readCompanies) }

func (t *Trail) readCompanies() *companies {
	c := &companies{byRef: map[string]string{}, byLocation: map[string]string{}}
	for e := range t.Of(tape.KindExchange) {
		if Served(e.Exchange) {
			c.learn(t, e.Exchange)
		}
	}
	return c
}

// learn reads one call.
func (c *companies) learn(t *Trail, x *tape.Exchange) {
	switch x.Operation {
	case "createCompany":
		answer := t.Answered(x)
		id := strings.ToLower(answer.Text("companyId"))
		c.byRef[strings.ToLower(t.Sent(x).Text("companyReferenceId"))], c.byRef[id] = id, id
		for _, location := range answer.texts("locationIds") {
			c.byLocation[strings.ToLower(location)] = id
		}
		if c.first == "" && t.Meta.Dropped == 0 {
			c.first = id
		}
	case "addLocation":
		c.byLocation[strings.ToLower(t.Answered(x).Text("locationId"))] = c.ofPath(x)
	case "listLocations":
		for _, l := range t.Answered(x).List("locations") {
			c.byLocation[strings.ToLower(l.Text("id"))] = c.ofPath(x)
		}
	case "listCompanies":
		for _, l := range t.Answered(x).List("companies") {
			id := strings.ToLower(l.Text("id"))
			c.byRef[strings.ToLower(l.Text("referenceId"))], c.byRef[id] = id, id
		}
	}
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

// CompanyOf is the company that a call is about, "" for none or an unknown one.
func (t *Trail) CompanyOf(x *tape.Exchange) string {
	switch {
	case OperationOf(x).Company:
		if id, known := t.companiesOfCalls()[x]; known {
			return id
		}
		return t.CompanyIn(t.Sent(x))
	case x.Operation == "getDefaultCompanyStatus":
		return t.companies().ofQuery(x)
	default:
		return t.companies().ofPath(x)
	}
}

// companiesOfCalls are the companies that bodies name, read once for all who ask: there
// are clauses that ask for each company about each call.
func (t *Trail) companiesOfCalls() map[*tape.Exchange]string {
	return Once(t, "companies of calls", func() map[*tape.Exchange]string {
		of := map[*tape.Exchange]string{}
		for e := range t.Of(tape.KindExchange) {
			if OperationOf(e.Exchange).Company {
				of[e.Exchange] = t.CompanyIn(t.Sent(e.Exchange))
			}
		}
		return of
	})
}

// CompanyIn is the company that a body names, else the first.
func (t *Trail) CompanyIn(b Body) string {
	c := t.companies()
	for _, named := range []struct {
		value string
		known map[string]string
	}{{b.Text("locationId"), c.byLocation}, {b.Text("companyId"), c.byRef}, {b.Text("companyReferenceId"), c.byRef}} {
		if named.value != "" {
			return named.known[strings.ToLower(named.value)]
		}
	}
	return c.first
}

// ofQuery is the company that a query names, else the first.
func (c *companies) ofQuery(x *tape.Exchange) string {
	for _, name := range []string{"companyId", "companyReferenceId"} {
		if v := Argument(x, name); v != "" {
			return c.byRef[strings.ToLower(v)]
		}
	}
	return c.first
}

// Names says whether a call is about a resource: by its id anywhere, or for a
// company also by its reference or a location.
func (t *Trail) Names(e *tape.Entry, id string) bool {
	x := e.Exchange
	if id == "" || x == nil || OperationOf(x).Token {
		return false
	}
	for _, named := range e.Entities {
		if strings.EqualFold(named, id) {
			return true
		}
	}
	return strings.Contains(strings.ToLower(x.Path+"?"+x.Query), id) ||
		strings.Contains(strings.ToLower(string(x.Request.Body)), id) || t.CompanyOf(x) == id
}

// ReadsState says whether by a call the application reads the state of a resource:
// its status, or a report that holds it.
func (t *Trail) ReadsState(e *tape.Entry, id string) bool {
	switch reads := OperationOf(e.Exchange).Reads; {
	case e.Exchange.Operation == "getDefaultCompanyStatus":
		return t.CompanyOf(e.Exchange) == id
	case reads == OneState:
		return t.Names(e, id)
	case reads == Report, reads == Holdings:
		return t.Names(e, id) || bytes.Contains(e.Exchange.Response.Body, []byte(id))
	default:
		return false
	}
}
