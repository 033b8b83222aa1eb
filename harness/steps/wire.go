package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"paysandbox/harness/random"
)

func wireSteps() []Step {
	const area = "wire"
	return []Step{
		step(area, `the header "([^"]*)" is "([^"]*)"`, bind2((*story).setsHeader)),
		step(area, `the client sends "([A-Z]+) ([^"]*)"`, bind2((*story).sendsNothing)),
		step(area, `the client sends "([A-Z]+) ([^"]*)":`, bind3((*story).sends)),
		step(area, `the client sends "([A-Z]+) ([^"]*)" with ([0-9]+) bytes`, bind3((*story).sendsBytes)),
		step(area, `the client sends "([A-Z]+) ([^"]*)" with the bytes "([^"]*)"`, bind3((*story).sendsRaw)),
		step(area, `the client sends "([A-Z]+) ([^"]*)" nested ([0-9]+) deep`, bind3((*story).sendsDeep)),
		step(area, `the client sends a company with ([0-9]+) (empty|numeric) employees`, bind2((*story).sendsEmployees)),
		step(area, `nothing is answered when the client sends "([A-Z]+) ([^"]*)":`, bind3((*story).sendsInVain)),
		staged(area, `a browser sends the page "([^"]*)" as "([^"]*)"`, bind2((*story).sendsForm)),
		staged(area, `a browser sends the page ([0-9]+) bytes as "([^"]*)"`, bind2((*story).sendsLong)),
		step(area, `the client sends half of a body to "([^"]*)"`, bind1((*story).sendsHalf)),
		step(area, `the answer's text is exactly:`, bind1((*story).textIs)),
		step(area, `the answer is exactly:`, bind1((*story).isExactly)),
		step(area, `the answer has the status ([0-9]+)`, bind1((*story).hasStatus)),
		step(area, `the call cites the clause(?: "([^"]*)")?`, bind1((*story).cites)),
		staged(area, `([0-9]+) calls are drawn by ([0-9]+)`, bind2((*story).drawsCalls)),
		staged(area, `no answer is a mistake of the service's own`, bind((*story).noMistake)),
	}
}

// longestKey is how long an idempotency key may be. Latitude, idempotency.
const longestKey = 255

// setsHeader adds a header to the next call; an empty value sends none.
func (s *story) setsHeader(_ context.Context, name, value string) error {
	if text, ok := plainWords[value].(string); ok {
		value = text
	}
	if name == "Idempotency-Key" && len(value) <= longestKey {
		// Where the service is shared, keys are too.
		value = s.reference(value)
		value = value[max(0, len(value)-longestKey):]
	}
	s.header = append(s.header, name, value)
	return nil
}

func (s *story) sendsNothing(ctx context.Context, method, path string) error {
	return s.raw(ctx, method, path, nil)
}

func (s *story) sends(ctx context.Context, method, path string, text *godog.DocString) error {
	return s.raw(ctx, method, path, []byte(s.inText(text.Content)))
}

func (s *story) sendsBytes(ctx context.Context, method, path string, n int) error {
	return s.raw(ctx, method, path, bytes.Repeat([]byte(" "), n))
}

var unescaped = strings.NewReplacer(`\xff`, "\xff", `\xef\xbb\xbf`, "\xef\xbb\xbf", `\0`, "\x00", `\n`, "\n", `'`, `"`)

// sendsRaw sends a text in which ' stands for a quotation mark and \xff and \0
// for the bytes.
func (s *story) sendsRaw(ctx context.Context, method, path, text string) error {
	return s.raw(ctx, method, path, []byte(unescaped.Replace(text)))
}

// sendsDeep sends lists in lists.
func (s *story) sendsDeep(ctx context.Context, method, path string, n int) error {
	return s.raw(ctx, method, path, []byte(`{"metadata":`+strings.Repeat("[", n)+strings.Repeat("]", n)+"}"))
}

// inText puts what the story knows into {names} of a text.
func (s *story) inText(text string) string {
	for name, id := range s.known {
		text = strings.ReplaceAll(text, "{"+name+"}", id)
	}
	return text
}

// raw sends bytes as they are, with a token.
func (s *story) raw(ctx context.Context, method, path string, out []byte) error {
	actor, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	path = strings.TrimPrefix(s.inText(path), s.world.BaseURL)
	header := s.header
	s.header, s.act = nil, action{}
	var sent any
	if out != nil {
		sent = out
	}
	answer, err := actor.client.Call(ctx, method, path, sent, header...)
	if err != nil {
		return err
	}
	if err := s.heard(ctx, answer); err != nil {
		return err
	}
	if answer.Status == http.StatusOK && strings.HasSuffix(path, "/Company/Create") {
		return s.keepCompany(answer.Body)
	}
	return nil
}

// sendsForm sends text to the address of the page that is open, in place of its form.
func (s *story) sendsForm(ctx context.Context, form, media string) error {
	if s.page == nil {
		return errNoPage
	}
	var err error
	s.page, err = s.visitor().Send(ctx, s.page.Address, media, form)
	return err
}

func (s *story) sendsLong(ctx context.Context, n int, media string) error {
	return s.sendsForm(ctx, strings.Repeat("a", n), media)
}

// keepCompany notes the company that a raw call has made.
func (s *story) keepCompany(body []byte) error {
	for _, name := range [...]string{"companyId", "CompanyId"} {
		if v, err := reach(body, name); err == nil {
			s.known["company"] = shown(v)
		}
	}
	return nil
}

// isExactly compares JSON, members in any order; {names} are what the story
// knows.
func (s *story) isExactly(_ context.Context, text *godog.DocString) error {
	if s.answer == nil {
		return errNoAnswer
	}
	expanded := s.inText(text.Content)
	var expected, received any
	if err := decodeJSON([]byte(expanded), &expected); err != nil {
		return err
	}
	if err := decodeJSON(s.answer.Body, &received); err != nil {
		return err
	}
	if s.world.MayAdd {
		received = without(received, expected)
	}
	if !reflect.DeepEqual(expected, received) {
		return fmt.Errorf("expected %s, received %s", expanded, s.answer.Body)
	}
	return nil
}

// without is a value without the members that another does not have.
func without(v, other any) any {
	switch v := v.(type) {
	case map[string]any:
		if other, ok := other.(map[string]any); ok {
			maps.DeleteFunc(v, func(name string, _ any) bool { _, known := other[name]; return !known })
			for name := range v {
				v[name] = without(v[name], other[name])
			}
		}
	case []any:
		if other, ok := other.([]any); ok && len(v) == len(other) {
			for n := range v {
				v[n] = without(v[n], other[n])
			}
		}
	}
	return v
}

func (s *story) hasStatus(_ context.Context, status int) error {
	if s.answer == nil {
		return errNoAnswer
	}
	s.expected = true
	if s.answer.Status != status {
		return fmt.Errorf("expected status %d, received %d: %s", status, s.answer.Status, s.answer.Body)
	}
	return nil
}

// cites expects a finding under a clause: the one that is named, or one of the scenario.
func (s *story) cites(_ context.Context, named string) error {
	p, err := s.problem()
	if err != nil {
		return err
	}
	clauses := s.clauses
	if named != "" {
		clauses = []string{named}
	}
	for _, f := range p.Findings {
		if slices.Contains(clauses, f.Clause) {
			return nil
		}
	}
	return fmt.Errorf("expected a finding under one of %v, received %s", clauses, s.answer.Body)
}

// sendsEmployees sends a company whose employees are {} or numbers.
func (s *story) sendsEmployees(ctx context.Context, n int, kind string) error {
	employee := map[string]string{"empty": "{},", "numeric": "5,"}[kind]
	list := strings.TrimSuffix(strings.Repeat(employee, n), ",")
	return s.raw(ctx, http.MethodPost, "/Company/Create", []byte(`{"employees":[`+list+`]}`))
}

var errAnswered = errors.New("expected the connection to break off, it was answered")

// sendsInVain expects the connection to break off before the whole answer is there.
func (s *story) sendsInVain(ctx context.Context, method, path string, text *godog.DocString) error {
	err := s.sends(ctx, method, path, text)
	if err == nil {
		return fmt.Errorf("%w: %d %s", errAnswered, s.answer.Status, s.answer.Body)
	}
	if broken := (*url.Error)(nil); errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// sendsHalf announces more bytes than it sends, and listens all the same.
func (s *story) sendsHalf(ctx context.Context, path string) error {
	actor, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	answer, err := actor.client.Half(ctx, path, []byte(`{"name":`), 100)
	if err != nil {
		return err
	}
	return s.heard(ctx, answer)
}

func (s *story) textIs(_ context.Context, text *godog.DocString) error {
	if s.answer == nil {
		return errNoAnswer
	}
	if expected := s.inText(text.Content); string(s.answer.Body) != expected {
		return fmt.Errorf("expected the text %s, received %s", expected, s.answer.Body)
	}
	return nil
}

// drawsCalls makes calls that are drawn by a number, with what the story knows.
func (s *story) drawsCalls(ctx context.Context, n, number int) error {
	stage, err := s.stage(ctx)
	if err != nil {
		return err
	}
	known := map[string]string{}
	for member, name := range map[string]string{
		"clientId": "client id", "clientSecret": "client secret", "companyId": "company", "companyReferenceId": "company's reference",
		"locationId": "location", "registrationId": "payer", "paymentRequestId": "payment", "paymentMethodId": "card", "paymentPlanId": "plan",
		"consentId": "consent",
	} {
		if value := s.known[name]; value != "" {
			known[member] = value
		}
	}
	if s.hook != nil {
		known["url"] = s.hook.URL
	}
	p := random.Player{Client: s.partners[partnerName].client, Stage: stage, Visitor: s.visitor()}
	s.mistake, err = p.Play(ctx, n, uint64(number), known) //nolint:gosec // G115: the step admits digits alone.
	return err
}

func (s *story) noMistake(context.Context) error { return s.mistake }
