package request_test

import (
	"testing"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

func TestPartnerIntent(t *testing.T) {
	t.Parallel()
	const amount, split, location, due = "partner.intent.amount", "partner.intent.split", "partner.intent.location", "partner.intent.due-date"
	// means announces a payment, and asks for it with bodies.
	means := func(id, name string, want verdict.Word, meant map[string]any, bodies ...string) checktest.Case {
		return checktest.On(id, name, want, "", func(s *checktest.Tape) {
			meant["operation"] = "createPayment"
			s.Note(trail.NoteIntent, meant)
			for _, b := range bodies {
				s.Call("createPayment", 200, checktest.Sends(b))
			}
		})
	}
	checktest.Play(t, []checktest.Case{
		means(amount, "as announced", verdict.Pass, map[string]any{"amount": 4990}, `{"amount":4990}`),
		means(amount, "dollars for cents", verdict.Fail, map[string]any{"amount": 4900}, `{"amount":49}`),
		means(amount, "not asked for", verdict.NotExercised, map[string]any{"amount": 4900}),
		means(amount, "another reference", verdict.NotExercised, map[string]any{"amount": 4900, "reference": "a"}, `{"amount":49,"reference":"b"}`),
		means(amount, "by its reference", verdict.Fail, map[string]any{"amount": 4900, "reference": "a"}, `{"amount":4900,"reference":"b"}`, `{"amount":49,"reference":"a"}`),
		means(amount, "nothing said of it", verdict.NotApplicable, map[string]any{"dueDate": "2026-03-31"}, `{"amount":49}`),
		checktest.On(amount, "refused, and asked for again", verdict.Pass, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 4990})
			s.Call("createPayment", 500, checktest.Sends(`{"amount":1}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":4990}`))
		}),
		checktest.On(amount, "asked for before it was announced", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Call("createPayment", 200, checktest.Sends(`{"amount":1}`))
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 4990})
		}),
		checktest.On(amount, "found by a lookup after its answer was lost", verdict.Pass, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "chargeSavedCard", "amount": 2200})
			lost := s.Call("chargeSavedCard", 0, checktest.Sends(`{"amount":2200}`))
			s.Becomes("saved-card-charge", "p1", "", "Processing", lost)
			s.Call("chargeSavedCard", 200, checktest.Sends(`{"amount":2300}`))
		}),
		checktest.On(amount, "its answer was lost, and it was wrong", verdict.Fail, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "chargeSavedCard", "amount": 2200})
			s.Becomes("saved-card-charge", "p1", "", "Processing", s.Call("chargeSavedCard", 0, checktest.Sends(`{"amount":22}`)))
		}),
		checktest.On(amount, "lost, made again, and announced and asked for anew", verdict.Pass, "", func(s *checktest.Tape) {
			for range 2 {
				s.Note(trail.NoteIntent, map[string]any{"operation": "chargeSavedCard", "amount": 2200})
				s.Becomes("saved-card-charge", "p1", "", "Processing", s.Call("chargeSavedCard", 0, checktest.Sends(`{"amount":2200}`)))
				s.Call("chargeSavedCard", 200, checktest.Sends(`{"amount":2200}`))
			}
			s.Call("chargeSavedCard", 200, checktest.Sends(`{"amount":2300}`))
		}),
		checktest.On(amount, "given up after it had failed", verdict.NotExercised, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 4990})
			s.Call("createPayment", 503, checktest.Sends(`{"amount":4990,"reference":"a"}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":2300,"reference":"b"}`))
		}),
		checktest.On(amount, "wrong, failed, and wrong again", verdict.Fail, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 4990})
			s.Call("createPayment", 503, checktest.Sends(`{"amount":49,"reference":"a"}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":49,"reference":"b"}`))
		}),
		checktest.On(amount, "the call for one that was announced before never came", verdict.Pass, "", func(s *checktest.Tape) {
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 4990})
			s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 2300})
			s.Call("createPayment", 200, checktest.Sends(`{"amount":2300}`))
		}),
		checktest.On(split, "announced with each of its parts", verdict.Pass, "", func(s *checktest.Tape) {
			for _, part := range []string{`{"amount":3334}`, `{"amount":3333,"n":2}`, `{"amount":3333,"n":3}`} {
				s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 10000, "parts": 3})
				s.Call("createPayment", 200, checktest.Sends(part))
			}
			s.Call("createPayment", 200, checktest.Sends(`{"amount":1000}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":1001}`))
			s.Call("createPayment", 200, checktest.Sends(`{"amount":1002}`))
		}),
		checktest.On(split, "two, one after the other", verdict.Fail, "", func(s *checktest.Tape) {
			for _, first := range []string{`{"amount":3334}`, `{"amount":3333}`} {
				s.Note(trail.NoteIntent, map[string]any{"operation": "createPayment", "amount": 10000, "parts": 3})
				for _, part := range []string{first, `{"amount":3333,"n":2}`, `{"amount":3333,"n":3}`} {
					s.Call("createPayment", 200, checktest.Sends(part))
				}
			}
		}),
		means(split, "as it should be", verdict.Pass, map[string]any{"amount": 10000, "parts": 3}, `{"amount":3334}`, `{"amount":3333,"n":2}`, `{"amount":3333,"n":3}`),
		means(split, "a cent is lost", verdict.Fail, map[string]any{"amount": 10000, "parts": 3}, `{"amount":3333}`, `{"amount":3333,"n":2}`, `{"amount":3333,"n":3}`),
		means(split, "one pays more", verdict.Fail, map[string]any{"amount": 10000, "parts": 3}, `{"amount":3332}`, `{"amount":3333,"n":2}`, `{"amount":3335,"n":3}`),
		means(split, "one part is missing", verdict.NotExercised, map[string]any{"amount": 10000, "parts": 3}, `{"amount":3334}`),
		means(location, "as announced", verdict.Pass, map[string]any{"locationId": "HALL"}, `{"amount":1,"locationId":"hall"}`),
		means(location, "another", verdict.Fail, map[string]any{"locationId": "hall"}, `{"amount":1,"locationId":"pool"}`),
		means(location, "none", verdict.Fail, map[string]any{"locationId": "hall"}, `{"amount":1}`),
		means(location, "not asked for", verdict.NotExercised, map[string]any{"locationId": "hall"}),
		means(due, "not asked for", verdict.NotExercised, map[string]any{"dueDate": "2026-03-31"}),
		means(due, "as announced", verdict.Pass, map[string]any{"dueDate": "2026-03-31"}, `{"amount":1,"dueDate":"2026-03-31"}`),
		means(due, "a day later", verdict.Fail, map[string]any{"dueDate": "2026-03-31"}, `{"amount":1,"dueDate":"2026-04-01"}`),
		means(due, "none", verdict.Fail, map[string]any{"dueDate": "2026-03-31"}, `{"amount":1}`),
	})
}
