package control

import (
	"bytes"
	"encoding/json"
	"net/http"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
)

// brokenRules are the clauses that a refusal names.
func brokenRules(x *tape.Exchange) []string {
	if x.Response.Status < http.StatusBadRequest || !bytes.Contains(x.Response.Body, []byte(`"findings"`)) {
		return nil
	}
	var p struct{ Findings []struct{ Clause string } }
	if json.Unmarshal(x.Response.Body, &p) != nil {
		return nil
	}
	var list []string
	for _, f := range p.Findings {
		if f.Clause != "" {
			list = append(list, f.Clause)
		}
	}
	return list
}

// data counts the test data that a request holds.
func (s *seen) data(seq uint64, x *tape.Exchange) {
	if len(x.Request.Body) == 0 {
		return
	}
	for _, d := range testData() {
		for _, text := range d.texts {
			if bytes.Contains(x.Request.Body, []byte(text)) {
				s.add(seq, partData, d.of, d.name)
				break
			}
		}
	}
}

// choices counts the choices on which the integration has run since its first entry.
func (s *seen) choices() {
	settings := s.of.Settings()
	for _, row := range latitude.Ledger() {
		if chosen := settings.Get(row.Knob); row.Fixed == "" && s.until > 0 {
			key := seenKey{partChoices, row.Name, chosen.Name()}
			s.items[key] = &sighting{count: 1, first: 1, last: s.until}
		}
	}
}
