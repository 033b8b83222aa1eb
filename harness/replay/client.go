package replay

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// part is what a recording holds of one client: one client id is one world.
type part struct {
	client string
	tokens []string
	rec    *recording.Recording
}

// apart takes a recording apart by the clients that were granted tokens. Calls under no
// token that it shows being granted stay with the client that has called before them.
func apart(routes *correlate.Routes, r *recording.Recording) []*part {
	parts := granted(routes, r)
	if len(parts) < 2 {
		return nil
	}
	now, whose, shown := parts[0], make([]*part, len(r.Exchanges)), showings{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		client, token := clientOf(x), correlate.Bearer(x.Header)
		if n := slices.IndexFunc(parts, func(p *part) bool {
			return client != "" && p.client == client || token != "" && slices.Contains(p.tokens, token)
		}); n >= 0 {
			now = parts[n]
		}
		whose[i] = now
		shown.note(routes, now.client, r, i)
	}
	for i := range r.Exchanges {
		x := r.Exchanges[i]
		x.Elsewhere = shown.elsewhere(routes, whose[i].client, r, i)
		whose[i].rec.Exchanges = append(whose[i].rec.Exchanges, x)
	}
	for i := range r.Received {
		n := max(0, slices.IndexFunc(parts, func(p *part) bool { return p.has(&r.Received[i]) }))
		parts[n].rec.Received = append(parts[n].rec.Received, r.Received[i])
	}
	return parts
}

// showing is a value of a type.
type showing struct {
	kind  correlate.Type
	value string
}

// showings are, of each value that served calls name or are answered with, the clients with the first such call of each.
type showings map[showing]map[string]int

func (s showings) note(routes *correlate.Routes, client string, r *recording.Recording, i int) {
	x := &r.Exchanges[i]
	operation, _ := routes.Match(x.Method, x.Path)
	if !prelude.Served(x) || trail.OperationNamed(operation).Token {
		return
	}
	for _, v := range slices.Concat(correlate.InBody(operation, x.Answer.Body), correlate.Takes(routes, x)) {
		one := showing{v.Type, strings.ToLower(v.Text)}
		if s[one] == nil {
			s[one] = map[string]int{}
		}
		if _, known := s[one][client]; !known {
			s[one][client] = i
		}
	}
}

// elsewhere says of a call that was refused where the files show what it names: with another client alone, "" for nowhere. What
// the service draws may be shown later, too.
func (s showings) elsewhere(routes *correlate.Routes, client string, r *recording.Recording, i int) string {
	x := &r.Exchanges[i]
	if status := x.Answer.Status; status != 400 && status != 403 && status != 404 {
		return ""
	}
	for _, v := range correlate.Takes(routes, x) {
		clients := s[showing{v.Type, strings.ToLower(v.Text)}]
		if _, own := clients[client]; own || v.Type == correlate.Key || v.Type == correlate.Token || v.Type == correlate.Reference && len(x.Body) > 0 {
			continue
		}
		for _, other := range slices.Sorted(maps.Keys(clients)) {
			if n := clients[other]; n < i || v.Type.Made() {
				return fmt.Sprintf("%s is of the client %s (%s), and this call carries the token of the client %s", v.Text, other, r.Exchanges[n].Place.Text(), client)
			}
		}
	}
	return ""
}

// granted are the clients with their tokens, in the order in which they appear.
func granted(routes *correlate.Routes, r *recording.Recording) []*part {
	var parts []*part
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		operation, _ := routes.Match(x.Method, x.Path)
		client, token := clientOf(x), trail.ReadBody(x.Answer.Body).Text("accessToken")
		if !trail.OperationNamed(operation).Token || !prelude.Served(x) || client == "" || token == "" {
			continue
		}
		n := slices.IndexFunc(parts, func(p *part) bool { return p.client == client })
		if n < 0 {
			n = len(parts)
			parts = append(parts, &part{client: client, rec: &recording.Recording{Sources: r.Sources, Services: r.Services, Skipped: r.Skipped}})
		}
		parts[n].tokens = append(parts[n].tokens, token)
	}
	return parts
}

// clientOf is the client id in a call's body, "" for none.
func clientOf(x *recording.Exchange) string {
	client := ""
	correlate.Walk(x.Body, func(path []string, v any) {
		if text, ok := v.(string); ok && len(path) == 1 && strings.EqualFold(path[0], "clientId") && !strings.Contains(text, "{{") { // a variable is nobody
			client = text
		}
	})
	return client
}

// has says whether a webhook is about something that an answer of the part shows.
func (p *part) has(w *recording.Received) bool {
	for _, v := range correlate.InBody("", w.Body) {
		if v.Type.Machine() != "" && slices.ContainsFunc(p.rec.Exchanges, func(x recording.Exchange) bool {
			return bytes.Contains(bytes.ToLower(x.Answer.Body), bytes.ToLower([]byte(v.Text)))
		}) {
			return true
		}
	}
	return false
}

// gravest orders the sides by what somebody who asks wants to know first.
var gravest = []diagnose.Side{diagnose.Partner, diagnose.Service, diagnose.Undecidable, diagnose.Choice, diagnose.Nobody}

// makeApart makes a case of each part. The one in which something went wrong is the
// case; of several the first, and what became of the others is told.
func makeApart(ctx context.Context, parts []*part, o Options) (*Case, error) {
	cases := make([]*Case, len(parts))
	best := 0
	for i, p := range parts {
		var err error
		if cases[i], err = Make(ctx, p.rec, nil, o); err != nil {
			return nil, err
		}
		if slices.Index(gravest, cases[i].Diagnosis.Side) < slices.Index(gravest, cases[best].Diagnosis.Side) {
			best = i
		}
	}
	c := cases[best]
	c.Notes = append([]string{fmt.Sprintf("The files hold the calls of %d integrations, each was played to a world of its own. This is the case of the client %s: its calls are counted from 1.", len(parts), parts[best].client)}, c.Notes...)
	for i, other := range cases {
		if i != best {
			c.Notes = append(c.Notes, fmt.Sprintf("The client %s, %d calls: %s", parts[i].client, len(parts[i].rec.Exchanges), strings.Join(other.Diagnosis.Lines[1:3], " ")))
		}
	}
	return c, nil
}
