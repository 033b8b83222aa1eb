package privacy

import (
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// secretsPrinted judges what whoever has started the application has read of its output.
func secretsPrinted(t *trail.Trail) []verdict.Judgement {
	var y verdict.Tally
	for _, o := range t.Outputs() {
		if o.Found == "" {
			y.Holds(o.Entry.Seq)
			continue
		}
		y.Fail("no secret in what is printed", "the "+o.Found+" on "+o.Stream, o.Entry.Seq)
	}
	if y.Held() == 0 && y.Problems() == 0 && len(t.Calls()) > 0 {
		y.Skip("nobody has read what the application prints: observe does for a command that it starts")
	}
	return y.Exercised()
}
