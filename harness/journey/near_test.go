package journey_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/mockserver/tape"
)

// calls are the entries of a small tape, in front of those who long for them: the
// first list comes with the first task, and so on.
type calls struct {
	entries []tape.Entry
	coming  [][]tape.Entry
	said    []string
}

// mail is the address of the person whom the second task names.
func (c *calls) mail() string {
	_, after, _ := strings.Cut(c.said[1], `email "`)
	mail, _, _ := strings.Cut(after, `"`)
	return mail
}

func (c *calls) Perform(_ context.Context, t partner.Task) error {
	c.said = append(c.said, t.Say)
	for _, e := range c.coming[0] {
		e.Seq = uint64(len(c.entries)) + 1
		c.entries = append(c.entries, e)
	}
	c.coming = c.coming[1:]
	return nil
}

func (c *calls) Settle(context.Context) error { return nil }

// ServeHTTP is a control API that has a tape, and takes everything else.
func (c *calls) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/tape") {
		_, _ = w.Write([]byte("{}"))
		return
	}
	since := 0
	for _, digit := range r.FormValue("since") {
		since = 10*since + int(digit-'0')
	}
	_ = tape.Write(w, tape.Meta{First: 1}, slices.Values(c.entries[since:]))
}

// called is an exchange on the tape.
func called(operation, line string, status int, asked, answers string, more ...func(*tape.Exchange)) tape.Entry {
	method, path, _ := strings.Cut(line, " ")
	x := &tape.Exchange{
		Operation: operation, Method: method, Path: path, Request: tape.Request{Body: []byte(asked)},
		Response: tape.Response{Status: status, Body: []byte(answers)},
	}
	for _, change := range more {
		change(x)
	}
	return tape.Entry{Kind: tape.KindExchange, Exchange: x}
}

// told plays steps over a small tape, and gives what a person was told. Time
// passes by itself, so that nobody has to be patient.
func told(t *testing.T, steps string, coming ...[]tape.Entry) (*calls, []string, journey.Played) {
	t.Helper()
	c := &calls{coming: coming}
	progress, played := play(t, c, steps)
	return c, progress, played[0]
}

// play plays steps over a tape, as often as the journey is named.
func play(t *testing.T, c *calls, steps string, names ...string) ([]string, []journey.Played) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	var progress []string
	now := time.Unix(0, 0)
	played, err := journey.Play(t.Context(), journey.Plan{
		Scenarios: fstest.MapFS{"x.feature": {Data: []byte("Feature: x\n  A story.\n\n  Scenario: y\n" + steps)}}, Names: names,
		Setting: task.Setting{
			Actor: c, Stage: &partner.Stage{Base: server.URL, Integration: "default"}, Patience: 20 * time.Second, Now: func() time.Time { now = now.Add(time.Second); return now }, Progress: func(text string) { progress = append(progress, text) },
		},
	})
	require.NoError(t, err)
	return progress, played
}

const (
	registerGym = "    When the partner registers the gym, \"Northside Gym\"\n"
	refusal     = `{"detail":"2 problems","findings":[{"pointer":"/owner/state","expected":"two letters"},` +
		`{"pointer":"/city","expected":"a city","advisory":true},{"pointer":"","expected":"an object"}]}`
)

func gym(id string) tape.Entry {
	return called("createCompany", "POST /Company/Create", 200, `{"name":"Northside Gym","companyReferenceId":"gym-1"}`, `{"companyId":"`+id+`"}`)
}

// A call that comes near what is waited for is told once, with what is wrong.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	const create = "POST /Company/Create"
	onPurpose := func(x *tape.Exchange) { x.Fault = "fault-1" }
	auth := func(word string) func(*tape.Exchange) { return func(x *tape.Exchange) { x.Auth = word } }
	for name, c := range map[string]struct {
		call tape.Entry
		want string
	}{
		"another name": {
			called("createCompany", create, 200, `{"name":"Hillside Fitness"}`, "{}"),
			`has name "Hillside Fitness"; the story expects name "Northside Gym"`,
		},
		"a long name": {
			called("createCompany", create, 200, `{"name":"`+strings.Repeat("x", 70)+`"}`, "{}"),
			`has name "` + strings.Repeat("x", 59) + `…; the story expects name "Northside Gym"`,
		},
		"no name":           {called("createCompany", create, 200, "{}", "{}"), `has no name; the story expects name "Northside Gym"`},
		"refused":           {called("createCompany", create, 400, "{}", refusal), "was refused with 400: owner.state: expected two letters; the body: expected an object"},
		"refused otherwise": {called("createCompany", create, 409, "{}", `{"detail":"it exists"}`), "was refused with 409: it exists"},
		"refused in words":  {called("createCompany", create, 400, "{}", "<no>"), "was refused with 400: see its findings"},
		"no token":          {called("createCompany", create, 401, "{}", "{}", auth(tape.AuthMissing)), "came without a token (401)"},
		"old token":         {called("createCompany", create, 401, "{}", "{}", auth(tape.AuthExpired)), "came with a token that has expired (401)"},
		"withdrawn token":   {called("createCompany", create, 401, "{}", "{}", auth(tape.AuthRevoked)), "came with a token that has been withdrawn (401)"},
		"strange token":     {called("createCompany", create, 401, "{}", "{}", auth(tape.AuthForeign)), "came with a token that does not count (401)"},
		"trouble":           {called("createCompany", create, 500, "{}", "{}", onPurpose), "was answered with status 500 on purpose; the story waits for a better one"},
		"no answer":         {called("createCompany", create, 0, "{}", ""), "got no answer"},
		"no operation":      {called("", create, 404, "{}", "{}"), "is no call of the API (404)"},
		"something else":    {called("registerUser", create, 200, "{}", "{}"), ""},
		"a good one":        {gym("1"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, progress, _ := told(t, registerGym, []tape.Entry{c.call})
			near := nears(progress)
			if c.want == "" {
				require.Empty(t, near)
				return
			}
			require.Equal(t, []string{"entry #1, POST /Company/Create, " + c.want}, near)
		})
	}
}

// nears are the near misses among what was told.
func nears(progress []string) []string {
	return slices.DeleteFunc(slices.Clone(progress), func(s string) bool { return !strings.HasPrefix(s, "entry #") })
}

// What a call is about is seen in its path as well, and a call that the service
// ought to refuse comes near when it does not.
func TestNearMissesOfLaterTasks(t *testing.T) {
	t.Parallel()
	const dana = "    And the partner registers Dana as a payer\n    And the partner requests 50.00 from Dana for the gym\n"
	person := func(with map[string]string) tape.Entry {
		return called("registerUser", "POST /User/Register", 200, `{"email":"`+with["email"]+`"}`, `{"registrationId":"r-1"}`)
	}
	first, _, _ := told(t, registerGym+dana, []tape.Entry{gym("c-1")}, nil)
	mail := first.mail()
	payer := person(map[string]string{"email": mail})
	asked := called("createPayment", "POST /Payment/Create", 200, `{"amount":5000,"registrationId":"R-1"}`, `{"paymentRequestId":"p-1"}`)
	for name, c := range map[string]struct {
		steps string
		last  []tape.Entry
		want  []string
	}{
		"amount and payer": {
			"",
			[]tape.Entry{called("createPayment", "POST /Payment/Create", 200, `{"amount":4990,"registrationId":"r-2"}`, "{}")},
			[]string{`entry #3, POST /Payment/Create, has amount 4990 and registrationId "r-2"; the story expects amount 5000, registrationId "r-1"`},
		},
		"another payment": {
			"    And the partner asks how Dana's 50.00 stands\n",
			[]tape.Entry{called("getPaymentStatus", "GET /Payment/p-2/Status", 200, "", "{}")},
			[]string{`entry #4, GET /Payment/p-2/Status, has another paymentRequestId; the story expects paymentRequestId "p-1"`},
		},
		"another name at the right place": {
			"    And the partner adds the location \"Old Town\" to the gym\n",
			[]tape.Entry{called("addLocation", "POST /Company/gym-1/Locations", 200, `{"name":"Harbour"}`, "{}")},
			[]string{`entry #4, POST /Company/gym-1/Locations, has name "Harbour"; the story expects name "Old Town"`},
		},
		"not refused": {
			"    And the partner cancels Dana's 50.00 too late\n",
			[]tape.Entry{called("cancelPayment", "PUT /Payment/p-1/Cancel", 200, "", "{}")},
			[]string{"entry #4, PUT /Payment/p-1/Cancel, was answered with 200, and the story expects that it is refused"},
		},
		"many": {
			"    And the partner asks how Dana's 50.00 stands\n",
			slices.Repeat([]tape.Entry{called("getPaymentStatus", "GET /Payment/p-1/Status", 404, "", `{"detail":"no"}`)}, 9),
			[]string{
				"entry #4, GET /Payment/p-1/Status, was refused with 404: no", "entry #5, GET /Payment/p-1/Status, was refused with 404: no",
				"entry #6, GET /Payment/p-1/Status, was refused with 404: no", "entry #7, GET /Payment/p-1/Status, was refused with 404: no",
				"entry #8, GET /Payment/p-1/Status, was refused with 404: no",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			coming := [][]tape.Entry{{gym("c-1")}, {payer}, {asked}, c.last}
			if c.steps == "" {
				coming = [][]tape.Entry{{gym("c-1")}, {payer}, c.last}
			}
			_, progress, played := told(t, registerGym+dana+c.steps, coming...)
			require.Equal(t, c.want, nears(progress))
			if played.Err != nil {
				require.ErrorContains(t, played.Err, strings.TrimPrefix(c.want[len(c.want)-1], "entry #8"))
			}
		})
	}
}

// A request that has to wait is no near miss of the one that is waited for.
func TestNoNearMissOfAnotherTask(t *testing.T) {
	t.Parallel()
	const steps = registerGym + "    And the partner registers Dana as a payer\n    And the partner wants 40.00 from Dana for the gym as soon as that is allowed\n" +
		"    And the partner requests 50.00 from Dana for the gym\n"
	first, _, _ := told(t, steps, []tape.Entry{gym("c-1")}, nil)
	mail := first.mail()
	_, progress, _ := told(t, steps, []tape.Entry{gym("c-1")},
		[]tape.Entry{called("registerUser", "POST /User/Register", 200, `{"email":"`+mail+`"}`, `{"registrationId":"r-1"}`)}, nil,
		[]tape.Entry{
			called("createPayment", "POST /Payment/Create", 200, `{"amount":4000,"registrationId":"r-1"}`, "{}"),
			called("createPayment", "POST /Payment/Create", 200, `{"amount":3000,"registrationId":"R-1"}`, "{}"),
		})
	require.Equal(t, []string{"entry #4, POST /Payment/Create, has amount 3000; the story expects amount 5000"}, nears(progress))
}

// A person is told the call, the values that have to be sent, what else is wanted,
// and what the others of the story do.
func TestTasksCanBeDoneByHand(t *testing.T) {
	t.Parallel()
	const steps = registerGym + "    And the partner registers Dana for a single payment of 29.50\n" +
		"    And the partner adds the location \"Old Town\" to the gym\n    And the partner reads the report of the gym\n"
	first, _, _ := told(t, steps, []tape.Entry{gym("c 1")}, nil)
	mail := first.mail()
	c, progress, played := told(t, steps, []tape.Entry{gym("c 1")},
		[]tape.Entry{called("registerUser", "POST /User/Register", 200, `{"email":"`+mail+`"}`, `{"registrationId":"r-1"}`)},
		[]tape.Entry{called("addLocation", "POST /Company/gym-1/Locations", 200, `{"name":"Old Town"}`, `{"locationId":"l-1"}`)},
		[]tape.Entry{called("reportTransactions", "GET /Transaction/Report", 200, "", `{}`)})
	require.NoError(t, played.Err)
	require.Regexp(t, `^register the company Northside Gym\n    POST /Company/Create\n    send: name "Northside Gym", `+
		`companyReferenceId "gym-[0-9a-f]{8}", companyType "ForProfit"\n    and your own: emailAddress, contactNumber, taxId, taxIdType, streetNumberAndName, city, state, zipCode, `+
		`owner \(name, .*ssn, dateOfBirth, .*zipCode\)$`, c.said[0])
	require.Regexp(t, `^register Dana for a single payment of 29.50\n    POST /User/Register\n    send: mobileNumber "\+[0-9]+", email ".+", `+
		`amount 2950, period "once"\n    and your own: redirectUrl$`, c.said[1])
	require.Equal(t, "add the location Old Town to Northside Gym\n    POST /Company/gym-1/Locations\n    send: name \"Old Town\"\n    and your own: streetNumberAndName, city, state, zipCode", c.said[2])
	require.Equal(t, "read the whole report of the transactions of Northside Gym\n    GET /Transaction/Report?companyId=c+1\n"+
		"    and the same with cursor set to nextCursor, as long as hasMore is true", c.said[3])
	require.Equal(t, "journey x begins: A story.", progress[0])
	require.Equal(t, "journey x has come to its end", progress[len(progress)-1])
}

func TestOthersAreTold(t *testing.T) {
	t.Parallel()
	_, progress, played := told(t, "    Given the gym, \"Northside Gym\", is a customer of the partner\n    When 2 days pass\n    Then the gym is Verified\n    When 3 days pass\n",
		[]tape.Entry{gym("c-1")})
	require.ErrorContains(t, played.Err, "Northside Gym to be Verified")
	require.Subset(t, progress, []string{"story: the provider verifies Northside Gym", "story: 2 days pass"})
	require.NotContains(t, progress, "story: 3 days pass", "it does not come about")
	require.Contains(t, progress[len(progress)-1], `journey x breaks off at "Then the gym is Verified": waited 20 s in vain`)
}
