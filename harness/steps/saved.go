package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/partner"
)

// deed is a call that was made since the sandbox was saved, and its answer.
type deed struct {
	what   string
	again  func(ctx context.Context) (*partner.Answer, error)
	answer string
}

// done notes a call that was made since the sandbox was saved.
func (s *story) done(what string, a *partner.Answer, again func(ctx context.Context) (*partner.Answer, error)) {
	if s.saved != nil && a != nil {
		s.deeds = append(s.deeds, deed{what, again, told(a)})
	}
}

// told is what is compared of an answer: all but the numbers of calls and tape entries.
func told(a *partner.Answer) string {
	return fmt.Sprintf("status %d: %s", a.Status, numbered.ReplaceAllString(string(a.Body), `"$1":0`))
}

var numbered = regexp.MustCompile(`"(traceId|instance|seq|cause|scheduled)":(?:"[^"]*"|[0-9]+)`)

// savedAs is the name of a scenario's snapshot.
const savedAs = "before"

func (s *story) saves(ctx context.Context) error {
	if _, err := s.control(ctx, "/snapshots", map[string]string{"name": savedAs}); err != nil {
		return err
	}
	s.saved = map[string]string{}
	for _, a := range actions() {
		path, reading := strings.CutPrefix(a.Call, "GET ")
		path, err := s.path(path)
		if !reading || err != nil || strings.Contains(a.Call, "{unknown}") {
			continue
		}
		sent, err := s.shape(a, "", nil)
		if err != nil {
			return err
		}
		query, _ := sent.(body)
		path = withQuery(path, query)
		if s.saved[path], err = s.reads(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// goesBack restores, after which all that can be read is as it was. The tape goes back,
// too: a token that was granted since is good, but nobody can see why.
func (s *story) goesBack(ctx context.Context) error {
	me, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	me.client.ForgetToken()
	if _, err := s.control(ctx, "/snapshots/"+savedAs+"/restore", nil); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(s.saved)) {
		now, err := s.reads(ctx, path)
		if err != nil {
			return err
		}
		if now != s.saved[path] {
			return fmt.Errorf("expected GET %s to be answered as before, with %s, received %s", path, s.saved[path], now)
		}
	}
	return nil
}

// reads makes a call that only reads.
func (s *story) reads(ctx context.Context, path string) (string, error) {
	me, err := s.me(ctx, partnerName)
	if err != nil {
		return "", err
	}
	answer, err := s.send(ctx, me, http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}
	return told(answer), nil
}

var errNothingDone = errors.New("nothing was done since the sandbox was saved")

// doesAgain restores, and makes each call again that was made since: what was kept is
// all that an answer follows from, so each is answered as before.
func (s *story) doesAgain(ctx context.Context) error {
	deeds := s.deeds
	if len(deeds) == 0 {
		return errNothingDone
	}
	if err := s.goesBack(ctx); err != nil {
		return err
	}
	for _, d := range deeds {
		s.cast[partnerName].client.ForgetToken() // the clock may have gone beyond it
		a, err := d.again(ctx)
		if err != nil {
			return err
		}
		if now := told(a); now != d.answer {
			return fmt.Errorf("expected %s to be answered as before, with %s, received %s", d.what, d.answer, now)
		}
	}
	return nil
}
