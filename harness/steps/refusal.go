package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/partner"
)

var errNoAdvice = errors.New("expected an advice, received none")

// verdicts are the ways in which the service refuses, by their words.
var verdicts = map[string]int{
	"invalid": http.StatusBadRequest, "unauthorised": http.StatusUnauthorized, "unknown": http.StatusNotFound,
	"a wrong method": http.StatusMethodNotAllowed, "a conflict": http.StatusConflict, "too large": http.StatusRequestEntityTooLarge,
	"an unsupported media type": http.StatusUnsupportedMediaType, "a reused key": http.StatusUnprocessableEntity,
	"too many": http.StatusTooManyRequests, "payment required": http.StatusPaymentRequired,
}

func refusalSteps() []Step {
	const area = "refusal"
	words := make([]string, 0, len(verdicts))
	for w := range verdicts {
		words = append(words, w)
	}
	slices.Sort(words)
	return []Step{
		step(area, `the service refuses it as (`+strings.Join(words, "|")+`)`, bind1((*story).refused)),
		step(area, `the call is refused because of "([^"]*)"`, bind1((*story).refusedFor)),
		step(area, `the call is accepted with an advice about "([^"]*)"`, bind1((*story).advised)),
		step(area, `the answer carries an advice`, bind((*story).carriesAdvice)),
		step(area, `the call is accepted without advice`, bind((*story).unadvised)),
		step(area, `the refusal names exactly:`, bind1((*story).namesExactly)),
		step(area, `the refusal shows "([^"]*)" as what was received for "([^"]*)"`, bind2((*story).showsReceived)),
		step(area, `the refusal expects "([^"]*)", and to mend it "([^"]*)"`, bind2((*story).expects)),
		step(area, `the refusal speaks of "([^"]*)"`, bind1((*story).speaksOf)),
		step(area, `the refusal is titled "([^"]*)"`, bind1((*story).isTitled)),
		step(area, `the finding about "([^"]*)" says "([^"]*)"`, bind2((*story).findingSays)),
		step(area, `the refusal has no body`, bind((*story).hasNoBody)),
		step(area, `the refusal explains each problem`, bind((*story).explains)),
		step(area, `the refusal is told in problem details`, bind((*story).inProblemDetails)),
		step(area, `the answer never shows "([^"]*)"`, bind1((*story).neverShows)),
	}
}

func (s *story) refused(_ context.Context, words string) error {
	if s.answer == nil {
		return errNoAnswer
	}
	s.expected = true
	if s.answer.Status != verdicts[words] {
		return fmt.Errorf("expected a refusal as %s, status %d, received %d: %s", words, verdicts[words], s.answer.Status, s.answer.Body)
	}
	return nil
}

// refusedFor expects a 400 that names the field; where the service tells
// findings, one of them has the field and a clause of the scenario.
func (s *story) refusedFor(ctx context.Context, field string) error {
	if err := s.refused(ctx, "invalid"); err != nil {
		return err
	}
	p, err := s.answer.Problem()
	if err != nil || p.Findings == nil {
		last := field[strings.LastIndexByte(field, '.')+1:]
		if !strings.Contains(strings.ToLower(string(s.answer.Body)), strings.ToLower(last)) {
			return fmt.Errorf("expected a refusal that names %s, received %s", field, s.answer.Body)
		}
		return nil
	}
	if _, ok := p.Errors[field]; !ok {
		return fmt.Errorf("expected errors to name %q, received %s", field, s.answer.Body)
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; fieldOf(f.Pointer) == field && slices.Contains(s.clauses, f.Clause) && !f.Advisory {
			return whole(f)
		}
	}
	return fmt.Errorf("expected a finding about %q under one of %v, received %s", field, s.clauses, s.answer.Body)
}

// fieldOf writes a JSON pointer as errors name fields; the whole body is $.
func fieldOf(pointer string) string {
	if pointer == "" {
		return "$"
	}
	if !strings.HasPrefix(pointer, "/") {
		return pointer
	}
	var b strings.Builder
	for part := range strings.SplitSeq(pointer[1:], "/") {
		switch {
		case strings.Trim(part, "0123456789") == "":
			b.WriteString("[" + part + "]")
			continue
		case b.Len() > 0:
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	return b.String()
}

// advised expects success and a warning with a clause of the scenario and the
// field.
func (s *story) advised(ctx context.Context, field string) error {
	if _, err := s.ok(); err != nil {
		return err
	}
	warning := s.answer.Header.Get("Sandbox-Warning")
	for part := range strings.SplitSeq(warning, ", ") {
		clause, pointer, _ := strings.Cut(part, " ")
		if fieldOf(pointer) == field && slices.Contains(s.clauses, clause) {
			return s.kept(ctx, field)
		}
	}
	return fmt.Errorf("expected an advice about %q under one of %v, received %q", field, s.clauses, warning)
}

func (s *story) carriesAdvice(context.Context) error {
	if _, err := s.ok(); err != nil {
		return err
	}
	if s.answer.Header.Get("Sandbox-Warning") == "" {
		return errNoAdvice
	}
	return nil
}

func (s *story) unadvised(ctx context.Context) error {
	if _, err := s.ok(); err != nil {
		return err
	}
	for part := range strings.SplitSeq(s.answer.Header.Get("Sandbox-Warning"), ", ") {
		if clause, _, _ := strings.Cut(part, " "); part != "" && !s.unverified(clause) {
			return fmt.Errorf("expected no advice, received %q", part)
		}
	}
	return s.kept(ctx, "")
}

// problem reads the last answer, which must be a refusal.
func (s *story) problem() (partner.Problem, error) {
	if s.answer == nil {
		return partner.Problem{}, errNoAnswer
	}
	if s.answer.Status < http.StatusBadRequest {
		return partner.Problem{}, fmt.Errorf("expected a refusal, received %d: %s", s.answer.Status, s.answer.Body)
	}
	return s.answer.Problem()
}

func (s *story) namesExactly(_ context.Context, t *godog.Table) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	var expected, received []string
	for _, row := range t.Rows {
		expected = append(expected, row.Cells[0].Value)
	}
	for name := range p.Errors {
		received = append(received, name)
	}
	slices.Sort(expected)
	slices.Sort(received)
	if !slices.Equal(expected, received) {
		return fmt.Errorf("expected problems with %v, received %v", expected, received)
	}
	return nil
}

func (s *story) explains(context.Context) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	if len(p.Findings) == 0 {
		return fmt.Errorf("expected findings, received %s", s.answer.Body)
	}
	for i := range p.Findings {
		if err := whole(&p.Findings[i]); err != nil {
			return err
		}
	}
	return nil
}

// whole expects a finding to say what is expected and how to mend it, in sentences
// out of which no word is missing.
func whole(f *partner.Finding) error {
	for _, text := range [...]string{f.Clause, f.Expected, f.Fix} {
		if text == "" || text != strings.Join(strings.Fields(text), " ") || strings.Contains(text, " ,") || strings.HasSuffix(text, ":") {
			return fmt.Errorf("expected clause, expectation and fix, whole sentences, of every finding, received %+v", *f)
		}
	}
	return nil
}

// showsReceived expects a finding about the field with what was received for it, as
// it is told: in its quotes, or masked.
func (s *story) showsReceived(_ context.Context, received, field string) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; fieldOf(f.Pointer) == field && strings.Trim(f.Received, `"`) == received {
			return nil
		}
	}
	return fmt.Errorf("expected a finding about %q that has received %q, received %s", field, received, s.answer.Body)
}

// expects expects a finding that says what would have been right, and how to mend it.
func (s *story) expects(_ context.Context, expected, fix string) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; f.Expected == expected && f.Fix == fix {
			return nil
		}
	}
	return fmt.Errorf("expected a finding that expects %q, and to mend it %q, received %s", expected, fix, s.answer.Body)
}

// speaksOf expects words in the refusal's detail.
func (s *story) speaksOf(_ context.Context, words string) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	if !strings.Contains(p.Detail, words) {
		return fmt.Errorf("expected a detail that speaks of %q, received %q", words, p.Detail)
	}
	return nil
}

func (s *story) isTitled(_ context.Context, title string) error {
	s.expected = true
	p, err := s.problem()
	if err == nil && p.Title != title {
		err = fmt.Errorf("expected a refusal that is titled %q, received %q", title, p.Title)
	}
	return err
}

// findingSays expects words in what a finding expects or how to mend it.
func (s *story) findingSays(_ context.Context, field, words string) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	for i := range p.Findings {
		if f := &p.Findings[i]; fieldOf(f.Pointer) == field && strings.Contains(f.Expected+"; "+f.Fix, words) {
			return nil
		}
	}
	return fmt.Errorf("expected a finding about %q that says %q, received %s", field, words, s.answer.Body)
}

func (s *story) inProblemDetails(context.Context) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	media := s.answer.Header.Get("Content-Type")
	if media != "application/problem+json" || p.Status != s.answer.Status || p.Title == "" || p.Detail == "" {
		return fmt.Errorf("expected problem details, received %s %s", media, s.answer.Body)
	}
	return nil
}

func (s *story) hasNoBody(context.Context) error {
	if s.answer == nil {
		return errNoAnswer
	}
	if s.answer.Status < http.StatusBadRequest || len(s.answer.Body) != 0 {
		return fmt.Errorf("expected a refusal without a body, received %d %s", s.answer.Status, s.answer.Body)
	}
	return nil
}

func (s *story) neverShows(_ context.Context, words string) error {
	if s.answer == nil {
		return errNoAnswer
	}
	if strings.Contains(string(s.answer.Body), s.expand(words)) {
		return fmt.Errorf("expected an answer without %q, received %s", words, s.answer.Body)
	}
	return nil
}
