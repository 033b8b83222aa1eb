package story

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
)

func hookIntents() []Step {
	return []Step{step(`the partner accepts a new webhook secret beside the old one`, bind((*Story).acceptsSecret))}
}

func hookStage() []Step {
	return []Step{
		step(`the next (?:event|([2-9]) events) (.+)`, bind2((*Story).goWrong)),
		step(`the partner's webhook receiver is (down|up again)`, bind1((*Story).receiverIs)),
		step(`the provider signs with the new webhook secret`, bind((*Story).signsAnew)),
	}
}

// trouble is a way in which a delivery goes wrong, in words.
type trouble struct{ profile, clause string }

// troubles are the delivery profiles by the words of the stories.
var troubles = map[string]trouble{
	"is altered on its way":                  {"altered-byte", "partner.webhook.altered"},
	"has one digit of its signature changed": {"altered-signature", "partner.webhook.altered"},
	"is signed with an empty secret":         {"empty-secret", "partner.webhook.wrong-secret"},
	"comes unsigned":                         {"missing-signature", "partner.webhook.unsigned"},
	"is signed with a guessed secret":        {"wrong-secret", "partner.webhook.wrong-secret"},
	"carries the signature of another":       {"stale-signature", "partner.webhook.stale-signature"},
	"is written in an odd way":               {"odd-json", "partner.webhook.raw-bytes"},
	"has a name that nobody knows":           {"unknown-event", "partner.webhook.unknown-event"},
	"has members that nobody knows":          {"extra-member", "partner.webhook.unknown-member"},
	"comes twice":                            {"duplicate", "partner.webhook.duplicate"},
	"comes twice at the same moment":         {"parallel-duplicate", "partner.webhook.parallel-duplicate"},
	"comes after the one that follows it":    {"reorder", "partner.webhook.order"},
	"comes before the call is answered":      {"before-response", "partner.webhook.before-response"},
}

// goWrong lets the next deliveries go wrong on purpose, one where the story does
// not say how many. It speaks of several in the plural.
func (s *Story) goWrong(ctx context.Context, several, how string) error {
	n, which := 1, "the next event "
	if several != "" {
		n, which = int(cents(several)), "the next "+several+" events "
	}
	t, ok := troubles[how]
	if !ok {
		t, ok = troubles[strings.Replace(strings.Replace(how, "come ", "comes ", 1), "have ", "has ", 1)]
	}
	if !ok {
		return fmt.Errorf("%w events that %q: they can be such that each %s", errStranger, how, strings.Join(slices.Sorted(maps.Keys(troubles)), ", or "))
	}
	if err := s.announces(ctx, t.clause, which+how, fmt.Sprintf("profile %s, next %d", t.profile, n)); err != nil {
		return err
	}
	return s.profile(ctx, t.profile, n)
}

// profile sets how deliveries to the partner's endpoints go wrong.
func (s *Story) profile(ctx context.Context, name string, next int) error {
	ids, err := s.endpoints(ctx)
	for _, id := range ids {
		if err != nil {
			break
		}
		_, err = s.control(ctx, "/webhooks/"+url.PathEscape(id)+"/profile", map[string]any{"profile": name, "next": next})
	}
	return err
}

// endpoints are the ids of the addresses at which the partner hears events.
func (s *Story) endpoints(ctx context.Context) ([]string, error) {
	a, err := s.Stage.Get(ctx, "/webhooks")
	if err != nil {
		return nil, err
	}
	var list struct {
		Webhooks []struct {
			ID string `json:"id"`
		} `json:"webhooks"`
	}
	if err := a.Read(&list); err != nil {
		return nil, err
	}
	var ids []string
	for _, w := range list.Webhooks {
		ids = append(ids, w.ID)
	}
	if len(ids) == 0 {
		s.once("the partner hears of no event: no webhook address is registered")
	}
	return ids, nil
}

// receiverIs cuts every delivery off, or lets them arrive again.
func (s *Story) receiverIs(ctx context.Context, how string) error {
	if how == "down" {
		return s.profile(ctx, "cut-connection", 0)
	}
	return s.profile(ctx, "", 0)
}

// acceptsSecret tells the partner of a secret that deliveries will be signed with.
func (s *Story) acceptsSecret(ctx context.Context) error {
	s.secret = "whsec_next_" + s.tag
	t := partner.Task{
		ID: s.Next(), Do: partner.DoAcceptSecret, Say: "accept deliveries that are signed with " + s.secret + ", and still those with the old secret",
		With: map[string]any{"secret": s.secret},
	}
	shown := t // the tape is no place for secrets
	shown.Say, shown.With = "accept a new webhook secret beside the old one", nil
	if err := s.Note(ctx, trail.NoteTask, shown.Say, shown); err != nil {
		return err
	}
	if err := s.Actor.Perform(ctx, t); err != nil {
		return err
	}
	return s.Settle(ctx)
}

func (s *Story) signsAnew(ctx context.Context) error {
	ids, err := s.endpoints(ctx)
	for _, id := range ids {
		if err != nil {
			break
		}
		_, err = s.control(ctx, "/webhooks/"+url.PathEscape(id)+"/rotate-secret", map[string]string{"secret": s.secret})
	}
	return err
}
