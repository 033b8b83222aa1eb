package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/partner"
	"paysandbox/mockserver/tape"
)

func tapeSteps() []Step {
	const area = "tape"
	return []Step{
		staged(area, `the tape knows the caller as "([^"]*)"`, bind1((*story).knowsCaller)),
		staged(area, `the message "([^"]*)" goes out by (sms|email) to "([^"]*)"`, bind3((*story).messageGoes)),
		staged(area, `no message "([^"]*)" goes out by (sms|email)(?: to "([^"]*)")?`, bind3((*story).noMessage)),
		staged(area, `the message "([^"]*)" holds "([^"]*)"`, bind2((*story).messageHolds)),
		staged(area, `the message "([^"]*)" gives the ([a-zA-Z]+) as "([^"]*)"`, bind3((*story).messageGives)),
		staged(area, `the message "([^"]*)" reads "([^"]*)"`, bind2((*story).messageReads)),
		staged(area, `the service has (fetched|given up) the receiver's file`, bind1((*story).fetched)),
		staged(area, `the receiver's answers carry the header "([^"]*)" as "([^"]*)"`, bind2((*story).receiverCarries)),
		staged(area, `the tape never shows "([^"]*)"`, bind1((*story).tapeHides)),
		staged(area, `the answer stands on the tape at its number`, bind((*story).standsOnTape)),
		staged(area, `the tape tells of "([^"]*)" what the answer does not`, bind1((*story).tapeTells)),
		staged(area, `the answer says on whose tape it stands`, bind((*story).saysWhose)),
		staged(area, `one digit of every delivery is another than in its event`, bind((*story).oneDigit)),
		staged(area, `the tape tells of ([0-9]+) registrations`, bind1((*story).countsRegistrations)),
	}
}

// entries reads a kind of entries.
func (s *story) entries(ctx context.Context, kind string) ([]tape.Entry, error) {
	stage, err := s.stage(ctx)
	if err != nil {
		return nil, err
	}
	return stage.Tape(ctx, kind)
}

func (s *story) knowsCaller(ctx context.Context, verdict string) error {
	list, err := s.entries(ctx, "exchange")
	if err != nil {
		return err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if x := list[i].Exchange; x != nil {
			if x.Auth != verdict {
				return fmt.Errorf("expected the caller to be %q, the tape has %q", verdict, x.Auth)
			}
			return nil
		}
	}
	return errNoTrace
}

// messages lists the messages of a template.
func (s *story) messages(ctx context.Context, template string) ([]*tape.Message, error) {
	list, err := s.entries(ctx, "message")
	if err != nil {
		return nil, err
	}
	var found []*tape.Message
	for i := range list {
		if m := list[i].Message; m != nil && m.Template == template {
			found = append(found, m)
		}
	}
	return found, nil
}

func (s *story) messageGoes(ctx context.Context, template, channel, to string) error {
	list, err := s.messages(ctx, template)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Channel == channel && m.To == to {
			return nil
		}
	}
	return fmt.Errorf("expected the message %s by %s to %s, received %d of that name", template, channel, to, len(list))
}

// noMessage expects none of the name, or none to somebody.
func (s *story) noMessage(ctx context.Context, template, channel, to string) error {
	list, err := s.messages(ctx, template)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Channel == channel && (to == "" || m.To == to) {
			return fmt.Errorf("expected no message %s by %s, one went to %s", template, channel, m.To)
		}
	}
	return nil
}

var errNoMessage = errors.New("there is no such message")

// messageHolds expects values under the names, none of them empty.
func (s *story) messageHolds(ctx context.Context, template, names string) error {
	list, err := s.messages(ctx, template)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNoMessage
	}
	held := map[string]string{}
	for _, p := range list[len(list)-1].Params {
		held[p.Name] = p.Value
	}
	for name := range strings.SplitSeq(names, ", ") {
		if held[name] == "" {
			return fmt.Errorf("expected the message %s to hold a %s, it holds %v", template, name, held)
		}
	}
	return nil
}

// messageGives expects a value under a name.
func (s *story) messageGives(ctx context.Context, template, name, value string) error {
	list, err := s.messages(ctx, template)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNoMessage
	}
	last, value := list[len(list)-1], s.inText(value)
	if !slices.Contains(last.Params, tape.Param{Name: name, Value: value}) {
		return fmt.Errorf("expected the message %s to give the %s as %q, it holds %v", template, name, value, last.Params)
	}
	return nil
}

// messageReads expects words in the text of a message, as its recipient reads it.
func (s *story) messageReads(ctx context.Context, template, words string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	a, err := stage.Get(ctx, "/messages?template="+template)
	if err != nil {
		return err
	}
	var list struct{ Messages []struct{ Text string } }
	if err := a.Read(&list); err != nil {
		return err
	}
	for _, m := range list.Messages {
		if strings.Contains(m.Text, words) {
			return nil
		}
	}
	return fmt.Errorf("expected a message %s that reads %q, received %s", template, words, a.Body)
}

var errNotFetched = errors.New("expected the file to be fetched, the tape tells of no download")

// fetched waits until the tape tells what became of the file.
func (s *story) fetched(ctx context.Context, outcome string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	list, err := stage.AwaitTape(ctx, "fetch", s.world.patience())
	switch {
	case err != nil:
		return err
	case len(list) == 0 || list[0].Fetch == nil:
		return errNotFetched
	case (list[0].Fetch.Error == "") != (outcome == "fetched"):
		return fmt.Errorf("expected the file to be %s, the tape tells of status %d and %q", outcome, list[0].Fetch.Status, list[0].Fetch.Error)
	}
	return nil
}

// filesOf are the addresses of the files that a receiver hands out, under their names.
func filesOf(r *partner.Receiver) map[string]string {
	const name, tooLong = "receiver's file", 10<<20 + 1
	return map[string]string{
		name: r.File(), name + " behind 3 redirects": r.FileBehind(3), name + " behind 4 redirects": r.FileBehind(4),
		name + " that is nowhere": r.FileAt("http://[::1"), name + " that is no web page": r.FileAt("ftp://127.0.0.1/agreement.pdf"),
		"receiver's missing file": r.FileRefused(404), "receiver's empty file": r.FileOf(0),
		"receiver's file that is too long": r.FileOf(tooLong),
	}
}

// receiverCarries has the receiver's answers carry a header.
func (s *story) receiverCarries(_ context.Context, name, value string) error {
	if s.hook == nil {
		return errNoReceiver
	}
	s.hook.Carry(name, value)
	return nil
}

func (s *story) tapeHides(ctx context.Context, secret string) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	a, err := stage.Get(ctx, "/tape")
	if err != nil {
		return err
	}
	if strings.Contains(string(a.Body), secret) {
		return fmt.Errorf("expected %q nowhere on the tape", secret)
	}
	return nil
}

// answered is the entry of the tape to which the last answer points.
func (s *story) answered(ctx context.Context) (*tape.Exchange, error) {
	if s.answer == nil {
		return nil, errNoAnswer
	}
	list, err := s.entries(ctx, "exchange")
	if err != nil {
		return nil, err
	}
	number := s.answer.Header.Get("Sandbox-Exchange")
	for i := range list {
		if x := list[i].Exchange; x != nil && strconv.FormatUint(list[i].Seq, 10) == number {
			return x, nil
		}
	}
	return nil, fmt.Errorf("expected the answer to name its place on the tape, its Sandbox-Exchange is %q", number)
}

// standsOnTape expects the tape to have the answer as it came.
func (s *story) standsOnTape(ctx context.Context) error {
	x, err := s.answered(ctx)
	if err != nil {
		return err
	}
	if x.Response.Status != s.answer.Status || string(x.Response.Body) != string(s.answer.Body) {
		return fmt.Errorf("expected the tape to have %d %s, it has %d %s", s.answer.Status, s.answer.Body, x.Response.Status, x.Response.Body)
	}
	for _, h := range x.Response.Header {
		if received := s.answer.Header.Get(h.Name); received != h.Value {
			return fmt.Errorf("expected the answer's header %s to be %q as on the tape, received %q", h.Name, h.Value, received)
		}
	}
	return nil
}

// tapeTells expects the tape to have a finding about a field that follows from the
// last answer's call.
func (s *story) tapeTells(ctx context.Context, pointer string) error {
	if s.answer == nil {
		return errNoAnswer
	}
	list, err := s.entries(ctx, "finding")
	if err != nil {
		return err
	}
	number := s.answer.Header.Get("Sandbox-Exchange")
	for i := range list {
		for _, f := range list[i].Findings {
			if f.Pointer == pointer && strconv.FormatUint(list[i].Cause, 10) == number {
				return whole(&partner.Finding{Clause: f.Clause, Expected: f.Expected, Fix: f.Fix})
			}
		}
	}
	return fmt.Errorf("expected a finding about %s that follows from entry %q, the tape has %+v", pointer, number, list)
}

func (s *story) countsRegistrations(ctx context.Context, n int) error {
	list, err := s.entries(ctx, "transition")
	if err != nil {
		return err
	}
	made := 0
	for _, e := range list {
		if t := e.Transition; t != nil && t.Machine == "registration" && t.From == "" {
			made++
		}
	}
	if made != n {
		return fmt.Errorf("expected %d registrations on the tape, received %d", n, made)
	}
	return nil
}

// saysWhose reads the header by which a caller whom nobody knows finds the call again.
func (s *story) saysWhose(ctx context.Context) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	return s.headerIs(ctx, "Sandbox-Integration", stage.Integration)
}
