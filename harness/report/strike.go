package report

import (
	"slices"

	"paysandbox/harness/report/words"
)

// strikeTexts is the list without its secrets, as a copy.
func strikeTexts(list []string, strike func(string) string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = strike(out[i])
	}
	return out
}

// strikeClause is the result without its secrets, as a copy.
func strikeClause(c ClauseResult, strike func(string) string) ClauseResult {
	if c.Deviation != nil {
		d := *c.Deviation
		d.Owner, d.Reason = strike(d.Owner), strike(d.Reason)
		c.Deviation = &d
	}
	if c.Attested != nil {
		a := *c.Attested
		a.Who, a.At = strike(a.Who), strike(a.At)
		c.Attested = &a
	}
	c.Reason, c.Scenarios, c.Evidence = strike(c.Reason), slices.Clone(c.Scenarios), slices.Clone(c.Evidence)
	for i, at := range c.Scenarios {
		c.Scenarios[i].Name = strike(at.Name)
	}
	for i, e := range c.Evidence {
		c.Evidence[i] = Evidence{
			Entries: slices.Clone(e.Entries), MoreEntries: e.MoreEntries, Expected: strike(e.Expected), Received: strike(e.Received),
			Hint: strike(e.Hint), Request: strike(e.Request), Response: strike(e.Response), Cited: strikeCited(e.Cited, strike),
		}
	}
	return c
}

// strikeCited are the entries without their secrets, as a copy.
func strikeCited(list []Cited, strike func(string) string) []Cited {
	out := slices.Clone(list)
	for i := range out {
		out[i].Says, out[i].Text = strike(out[i].Says), words.Shortened(strike(out[i].Text), MaxMessage)
	}
	return out
}

// strikeScenario is the result without its secrets, as a copy.
func strikeScenario(s ScenarioResult, strike func(string) string) ScenarioResult {
	s.Name, s.Error, s.Skip = strike(s.Name), strike(s.Error), strike(s.Skip)
	s.Tags, s.Steps = slices.Clone(s.Tags), slices.Clone(s.Steps)
	for i, step := range s.Steps {
		s.Steps[i].Text, s.Steps[i].Error = strike(step.Text), strike(step.Error)
	}
	return s
}
