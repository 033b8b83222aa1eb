package tour

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/partner"
)

// troubled says whether somebody makes trouble and has not had enough yet: notes on
// the tape tell.
func (t *tour) troubled(ctx context.Context) (bool, error) {
	kind, _, err := t.note(ctx, "trouble", "enough")
	return kind == "trouble", err
}

// note is the latest note of one of some kinds: its kind, and its data as it stands.
func (t *tour) note(ctx context.Context, kinds ...string) (kind, data string, err error) {
	entries, err := t.stage.Tape(ctx, "control")
	if err != nil {
		return "", "", err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		var note struct {
			Kind string
			Data json.RawMessage
		}
		if x := entries[i].Exchange; x.Operation == "addNote" && json.Unmarshal(x.Request.Body, &note) == nil && slices.Contains(kinds, note.Kind) {
			return note.Kind, string(note.Data), nil
		}
	}
	return "", "", nil
}

// announced says what is meant before the application asks for it: an amount, a sum in
// parts, a location and a day.
func (t *tour) announced(ctx context.Context) error {
	if len(t.regulars) == 0 {
		return errNothing
	}
	place, err := t.do(ctx, partner.DoAddLocation, object{"companyReferenceId": t.gym, "name": "Sauna"})
	if err != nil {
		return err
	}
	day := t.Now().AddDate(0, 1, 0).Format(time.DateOnly)
	for _, one := range []struct{ meant, with object }{
		{object{"amount": 4900}, object{"amount": 4900, "companyReferenceId": t.gym}},
		{object{"locationId": place}, object{"amount": 5150, "locationId": place}},
		{object{"dueDate": day}, object{"amount": 5250, "companyReferenceId": t.gym, "dueDate": day}},
	} {
		if err := t.asMeant(ctx, one.meant, one.with); err != nil {
			return err
		}
	}
	const sum, parts = 10_000, 3
	var asks []object
	for _, part := range t.Split(sum, parts) {
		asks = append(asks, object{"amount": part, "companyReferenceId": t.gym})
	}
	return t.asMeant(ctx, object{"amount": sum, "parts": parts}, asks...)
}

// asMeant announces a payment, and lets the application ask for it.
func (t *tour) asMeant(ctx context.Context, meant object, asks ...object) error {
	meant["operation"] = partner.DoCreatePayment
	if err := t.act(ctx, "/notes", object{"kind": "intent", "text": "what is meant", "data": meant}); err != nil {
		return err
	}
	for _, with := range asks {
		with["registrationId"] = t.regulars[1]
		if _, err := t.do(ctx, partner.DoCreatePayment, with); err != nil {
			return err
		}
	}
	return nil
}

// awaited says whether whoever makes trouble waits for something: the latest note tells.
func (t *tour) awaited(ctx context.Context, what string) bool {
	kind, text, err := t.note(ctx, "waits", "enough")
	return err == nil && kind == "waits" && strings.Contains(text, what)
}
