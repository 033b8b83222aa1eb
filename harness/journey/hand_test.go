package journey_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// danaOf is the call that registers the payer of a story, with the address that
// the story has told.
func danaOf(t *testing.T, steps string, before ...[]tape.Entry) tape.Entry {
	t.Helper()
	first, _, _ := told(t, steps, append(before, nil)...)
	_, after, _ := strings.Cut(first.said[len(before)], `email "`)
	mail, _, _ := strings.Cut(after, `"`)
	return called("registerUser", "POST /User/Register", 200, `{"email":"`+mail+`"}`, `{"registrationId":"r-1"}`)
}

func payment(amount, id, more string) tape.Entry {
	return called("createPayment", "POST /Payment/Create", 200, `{"amount":`+amount+`,"registrationId":"r-1"`+more+`}`, `{"paymentRequestId":"`+id+`"}`)
}

func paid(amount, id string) tape.Entry {
	body, _ := json.Marshal(map[string]any{"Data": map[string]any{"PaymentId": id, "RegistrationId": "r-1", "Amount": json.Number(amount), "Status": "Paid"}})
	return tape.Entry{Kind: tape.KindEvent, Entities: []string{id}, Event: &tape.Event{ID: "e-" + id, Body: body}}
}

const registerDana = registerGym + "    And the partner registers Dana as a payer\n"

// What waits says for what, locations want addresses.
func TestTasksSayWhatElseIsWanted(t *testing.T) {
	t.Parallel()
	const with = "    When the partner registers the gym, \"Northside Gym\", with:\n      | location | Hill |\n" +
		"    And the partner registers Dana as a payer\n    And the partner wants 40.00 from Dana for the gym as soon as that is allowed\n"
	c, _, played := told(t, with, []tape.Entry{gym("c-1")}, []tape.Entry{danaOf(t, with, []tape.Entry{gym("c-1")})}, nil)
	require.NoError(t, played.Err)
	require.Contains(t, c.said[0], `locations [{"name":"Hill"}]`)
	require.Contains(t, c.said[0], "\n    each location with your own: streetNumberAndName, city, state, zipCode")
	require.Contains(t, c.said[2], "and your own: reference, returnUrl, an Idempotency-Key header\n"+
		"    not before GET /Company/gym-1/Status tells Verified and GET /User/r-1/Status tells Registered; never when the company is Rejected")
}

// Who is to do what cannot be done is told so.
func TestTasksSayWhatIsRefused(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the partner requests 50.00 from Dana for the gym\n    And the partner cancels Dana's 50.00 too late\n"
	late := called("cancelPayment", "PUT /Payment/p-1/Cancel", 400, "", "{}")
	c, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{danaOf(t, steps, []tape.Entry{gym("c-1")})},
		[]tape.Entry{payment("5000", "p-1", "")}, []tape.Entry{late})
	require.NoError(t, played.Err)
	require.Equal(t, "cancel the 50.00 of Dana\n    PUT /Payment/p-1/Cancel\n    the service is going to refuse it, which belongs to the story", c.said[3])
}

// What brings something into being may be done before it is told. What asks or
// changes comes again, and that is said.
func TestTasksDoneBeforeTheyAreTold(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the partner requests 50.00 from Dana for the gym\n    And the partner asks how Dana's 50.00 stands\n"
	dana := danaOf(t, steps, []tape.Entry{gym("c-1")})
	asked := called("getPaymentStatus", "GET /Payment/p-1/Status", 200, "", "{}")
	_, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{dana, payment("5000", "p-1", "")}, nil, []tape.Entry{asked})
	require.NoError(t, played.Err)
	_, progress, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{dana}, []tape.Entry{payment("5000", "p-1", ""), asked}, nil)
	const again = "entry #4, GET /Payment/p-1/Status, came before it was told: it has to come again"
	require.ErrorContains(t, played.Err, again)
	require.Equal(t, []string{again}, nears(progress))
}

// A payment for another company, or at another location, is not the one that is
// meant; one that names the company otherwise is.
func TestPaymentsForAnotherCompany(t *testing.T) {
	t.Parallel()
	const steps = "    When the partner registers the shop, \"Corner Shop\"\n" + registerDana +
		"    And the partner adds the location \"Hill\" to the gym\n    And the partner requests 50.00 from Dana for the gym"
	shop := called("createCompany", "POST /Company/Create", 200, `{"name":"Corner Shop","companyReferenceId":"shop-1"}`, `{"companyId":"c-0"}`)
	hill := called("addLocation", "POST /Company/gym-1/Locations", 200, `{"name":"Hill"}`, `{"locationId":"l-1"}`)
	for name, c := range map[string]struct{ place, body, want string }{
		"by nothing":       {"", "", ""},
		"by id":            {"", `,"companyId":"C-1"`, ""},
		"by location":      {"", `,"locationId":"l-1"`, ""},
		"another company":  {"", `,"companyReferenceId":"shop-1"`, `has companyReferenceId "shop-1"; the story expects companyReferenceId "gym-1"`},
		"another's id":     {"", `,"companyId":"c-0"`, "has not the values that the story expects"},
		"at the location":  {` at "Hill"`, `,"locationId":"L-1"`, ""},
		"another location": {` at "Hill"`, `,"locationId":"l-2"`, `has locationId "l-2"; the story expects locationId "l-1"`},
		"no location":      {` at "Hill"`, `,"companyReferenceId":"gym-1"`, `has no locationId; the story expects locationId "l-1"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := steps + c.place + "\n"
			dana := danaOf(t, steps, []tape.Entry{shop}, []tape.Entry{gym("c-1")})
			_, progress, played := told(t, steps, []tape.Entry{shop}, []tape.Entry{gym("c-1")}, []tape.Entry{dana}, []tape.Entry{hill},
				[]tape.Entry{payment("5000", "p-1", c.body)})
			if c.want == "" {
				require.NoError(t, played.Err)
				return
			}
			require.Equal(t, []string{"entry #5, POST /Payment/Create, " + c.want}, nears(progress))
		})
	}
}

// The books say why they may be unlike what is expected.
func TestBooksSayWhatIsUnlike(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the partner requests 50.00 from Dana for the gym\n    Then the books show 50.00\n"
	dana := danaOf(t, steps, []tape.Entry{gym("c-1")})
	_, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{dana},
		[]tape.Entry{payment("5000", "p-1", ""), payment("4900", "p-2", ""), paid("4900", "p-2")})
	require.ErrorContains(t, played.Err, "they show 49.00; Dana's 50.00 is Pending; 49.00 was collected that the story did not ask for (payment p-2)")
}

// A payer is who the partner has registered, also with another number, or without
// one: then no message comes, and that is said.
func TestPayersAsThePartnerKnowsThem(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    Then Dana has got an SMS about 50.00\n"
	for name, c := range map[string]struct{ number, want string }{
		"another number": {`,"mobileNumber":"+14155550177"`, ""},
		"no number":      {"", "nothing can reach Dana by SMS"},
		"the empty one":  {`,"mobileNumber":""`, "nothing can reach Dana by SMS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dana := danaOf(t, steps, []tape.Entry{gym("c-1")})
			dana.Exchange.Request.Body = []byte(strings.Replace(string(dana.Exchange.Request.Body), "}", c.number+"}", 1))
			message := tape.Entry{Kind: tape.KindMessage, Message: &tape.Message{Channel: tape.ChannelSMS, To: "+14155550177", Text: "$50.00"}}
			_, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{dana, message})
			if c.want == "" {
				require.NoError(t, played.Err)
			} else {
				require.ErrorContains(t, played.Err, c.want)
			}
		})
	}
}

// A row of like misses is told in brief when a story breaks off.
func TestMissesInBrief(t *testing.T) {
	t.Parallel()
	busy := called("createCompany", "POST /Company/Create", 500, "{}", "{}", func(x *tape.Exchange) { x.Fault = "fault-1" })
	other := called("createCompany", "POST /Company/Create", 200, `{"name":"Gym"}`, "{}")
	_, _, played := told(t, registerGym, []tape.Entry{busy, busy, busy, other})
	require.ErrorContains(t, played.Err, "Northside Gym: entry #3, POST /Company/Create, was answered with status 500 on purpose; "+
		`the story waits for a better one (as 2 before it); then entry #4, POST /Company/Create, has name "Gym"`)
}

// What went wrong with one task is not told of the next.
func TestMissesOfTheTaskBefore(t *testing.T) {
	t.Parallel()
	busy := called("createCompany", "POST /Company/Create", 500, "{}", "{}", func(x *tape.Exchange) { x.Fault = "fault-1" })
	_, _, played := told(t, registerGym+"    And the partner registers the shop, \"Corner Shop\"\n", []tape.Entry{busy, gym("c-1")}, nil)
	require.ErrorContains(t, played.Err, "Corner Shop: 0 of 1 calls to createCompany are on the tape")
}

// What needs an address of the partner's says once that there is none.
func TestWhatThePartnerDoesNotHave(t *testing.T) {
	t.Parallel()
	_, progress, played := told(t, registerGym+"    And the next event comes unsigned\n    And the next event comes twice\n"+
		"    And the partner shows what it has handed over\n    And the partner shows what it has handed over\n", []tape.Entry{gym("c-1")})
	require.NoError(t, played.Err)
	require.Equal(t, []string{
		"story: the next event comes unsigned", "story: the partner hears of no event: no webhook address is registered",
		"story: the next event comes twice", "story: nobody can ask what the partner has handed over: no state probe is known",
		"journey x has come to its end",
	}, progress[len(progress)-5:])
}

// A journey that is played again in the same session has people and references of
// its own.
func TestPlayedAgain(t *testing.T) {
	t.Parallel()
	c := &calls{coming: [][]tape.Entry{{gym("c-1")}, {gym("c-2")}}}
	_, _ = play(t, c, registerGym, "x", "x")
	require.Len(t, c.said, 2)
	require.NotEqual(t, c.said[0], c.said[1])
}

// Who is asked to come again later is waited for so much longer.
func TestBusyServiceIsWaitedFor(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the service is busy for 20 seconds at the next request for a payment\n    And the partner requests 50.00 from Dana for the gym\n"
	_, progress, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{danaOf(t, steps, []tape.Entry{gym("c-1")})}, nil)
	require.ErrorContains(t, played.Err, "waited 40 s in vain for a call to request 50.00")
	require.Contains(t, strings.Join(progress, "\n"), " s of 40 s)")
}

// To ask how all payments stand is to ask for each of them.
func TestAllPaymentsAreAskedFor(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the partner requests 50.00 from Dana for the gym\n    And the partner requests 40.00 from Dana for the gym\n" +
		"    And the partner asks how all payments stand, at the same time\n"
	born := func(id string) tape.Entry {
		return tape.Entry{Kind: tape.KindTransition, Transition: &tape.Transition{Machine: "payment", Entity: id, To: "Pending"}}
	}
	asked := func(id string) tape.Entry {
		return called("getPaymentStatus", "GET /Payment/"+id+"/Status", 200, "", "{}")
	}
	for second, want := range map[string]string{"p-1": "1 of 2 calls to getPaymentStatus or getTransaction are on the tape", "p-2": ""} {
		_, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{danaOf(t, steps, []tape.Entry{gym("c-1")})},
			[]tape.Entry{payment("5000", "p-1", ""), born("p-1")}, []tape.Entry{payment("4000", "p-2", ""), born("p-2")},
			[]tape.Entry{asked("p-1"), asked(second)})
		if want == "" {
			require.NoError(t, played.Err)
		} else {
			require.ErrorContains(t, played.Err, want)
		}
	}
}

// While the service is out, the story goes on when nobody calls any more.
func TestOutageEndsWhenNobodyCalls(t *testing.T) {
	t.Parallel()
	const steps = registerDana + "    And the service is out\n    And the partner requests 50.00 from Dana for the gym\n    And the service is back\n"
	failed := called("createPayment", "POST /Payment/Create", 500, "{}", "{}")
	_, progress, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{danaOf(t, steps, []tape.Entry{gym("c-1")})}, []tape.Entry{failed})
	require.NoError(t, played.Err)
	require.Equal(t, []string{
		"story: the service is out", "story: the service stays out until nobody has called for 10 s", "story: the service is back",
		"journey x has come to its end",
	}, progress[len(progress)-4:])
}

// Where nobody calls, the stories that are left would be waited for in vain as
// well.
func TestNobodyCalls(t *testing.T) {
	t.Parallel()
	progress, played := play(t, &calls{coming: [][]tape.Entry{nil}}, registerGym, "x", "x")
	require.Len(t, played, 1)
	require.Equal(t, "nobody has called anything in the journey x: the others are not played", progress[len(progress)-1])
	progress, played = play(t, &calls{coming: [][]tape.Entry{{called("registerUser", "POST /User/Register", 400, "{}", "{}")}, nil}}, registerGym, "x", "x")
	require.Len(t, played, 2, "who calls has not gone")
	require.NotContains(t, strings.Join(progress, "\n"), "nobody has called anything")
}

// The state of one company is not asked for by asking for another's.
func TestStateOfAnotherCompany(t *testing.T) {
	t.Parallel()
	const steps = registerGym + "    And the partner asks how the verification of the gym stands\n"
	for name, c := range map[string]struct {
		call tape.Entry
		fits bool
	}{
		"by reference":   {called("getCompanyStatus", "GET /Company/gym-1/Status", 200, "", `{"status":"Verified"}`), true},
		"by id":          {called("getCompanyStatus", "GET /Company/C-1/Status", 200, "", `{"status":"Verified"}`), true},
		"the first one":  {called("getDefaultCompanyStatus", "GET /company/status", 200, "", `{"CompanyId":"c-1"}`), true},
		"another":        {called("getCompanyStatus", "GET /Company/shop-1/Status", 200, "", `{"status":"Verified"}`), false},
		"another's turn": {called("getDefaultCompanyStatus", "GET /company/status", 200, "", `{"CompanyId":"c-2"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, played := told(t, steps, []tape.Entry{gym("c-1")}, []tape.Entry{c.call})
			require.Equal(t, c.fits, played.Err == nil, played.Err)
		})
	}
}
