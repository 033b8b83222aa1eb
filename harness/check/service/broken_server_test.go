package service_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/check/checktest"
	"paysandbox/harness/sampling"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/world"
)

// try makes a call of the partner API whatever comes of it; the members of the
// answer are found by their names in lower case.
func (s *stage) try(method, path, body string, header ...string) map[string]any {
	s.tb.Helper()
	_, raw := s.send(method, s.sandbox.URL+path, body, append([]string{"Authorization", "Bearer " + s.token}, header...)...)
	folded := map[string]any{}
	for name, v := range object(raw) {
		folded[strings.ToLower(name)] = v
	}
	return folded
}

// brief plays a short session that any choice of the ledger lets through.
func brief(tb testing.TB, o mocktest.Options, profile string) *stage {
	tb.Helper()
	s := newStage(tb, o)
	s.listen("/brief", "whsec-brief", profile)
	login := func() {
		granted := s.try("POST", "/Authentication/Token", `{"clientId":"sandbox-client","clientSecret":"sandbox-secret"}`)
		s.token, _ = granted["accesstoken"].(string)
	}
	login()
	company := s.try("POST", "/Company/Create", payload(tb, "company-create"))
	places, _ := company["locationids"].([]any)
	s.try("GET", "/Company/List", "")
	payer, _ := s.try("POST", "/User/Register", payload(tb, "user-register"))["registrationid"].(string)
	s.ctl("/registrations/"+payer+"/complete", "{}")
	s.try("GET", "/User/"+payer+"/Status", "")
	body := payload(tb, "payment-create", "registrationId", payer, "locationId", places[0])
	payment, _ := s.try("POST", "/Payment/Create", body, "Idempotency-Key", "order-1")["paymentrequestid"].(string)
	s.try("POST", "/Payment/Create", body, "Idempotency-Key", "order-1")
	s.status.Store(500)
	s.ctl("/payments/"+payment+"/approve", "{}")
	s.ctl("/payments/"+payment+"/pay", "{}")
	s.ctl("/clock/advance", `{"by":"1m"}`)
	s.status.Store(200)
	s.ctl("/clock/advance", `{"by":"30h"}`)
	login()
	second, _ := s.try("POST", "/Payment/Create", body)["paymentrequestid"].(string)
	s.ctl("/payments/"+second+"/approve", "{}")
	s.ctl("/payments/"+second+"/pay", "{}")
	s.try("POST", "/Payment/Refund/"+payment, payload(tb, "refund"))
	s.try("POST", "/Payment/Refund/"+payment, payload(tb, "refund", "amount", 9000))
	card := s.ctl("/payment-methods", `{"registrationId":"`+payer+`","card":"insufficient-funds"}`)["id"].(string)
	s.try("POST", "/Payment/ChargeSavedCard", payload(tb, "charge-saved-card", "registrationId", payer, "locationId", places[0], "paymentMethodId", card))
	s.send("GET", s.sandbox.URL+"/Company/List", "")
	s.ctl("/clock/advance", `{"by":"200h"}`)
	return s
}

// choices lists every choice of the ledger that is not a default.
func choices() []string {
	var list []string
	for _, row := range latitude.Ledger() {
		for _, c := range row.Choices[1:] {
			list = append(list, row.Name+"="+c.Name)
		}
	}
	return list
}

// TestEveryChoice expects no check to blame a service for what the tape says was
// chosen.
func TestEveryChoice(t *testing.T) {
	sampling.NotRaced(t, "TestBrokenServers asks servers of other choices with it")
	t.Parallel()
	for _, choice := range sampling.Every(t, 9, choices()) {
		settings, err := latitude.Parse([]string{choice})
		require.NoError(t, err)
		for _, environment := range []world.Environment{world.Sandbox, world.Rehearsal} {
			if environment == world.Rehearsal && !strings.HasPrefix(choice, "kyb") {
				continue // only the verification differs between the environments
			}
			for _, r := range brief(t, mocktest.Options{Seed: 3, Settings: settings, Environment: environment}, "").tape().judge() {
				require.NotContains(t, []verdict.Word{verdict.Fail, verdict.HarnessError}, r.Word, "%s in %s: %s", choice, environment, checktest.Told(r))
			}
		}
	}
}

// TestEveryProfile expects no check to blame a service for deliveries that were
// spoilt on purpose. What slow-read delivers is as good as any, only twelve
// seconds later.
func TestEveryProfile(t *testing.T) {
	t.Parallel()
	profiles := slices.DeleteFunc(delivery.ProfileNames(), func(p string) bool { return p == "slow-read" })
	require.NotEmpty(t, profiles)
	for _, profile := range profiles {
		t.Run(profile, func(t *testing.T) {
			t.Parallel()
			for _, r := range brief(t, mocktest.Options{Seed: 3}, profile).tape().judge() {
				require.NotContains(t, []verdict.Word{verdict.Fail, verdict.HarnessError, verdict.Review}, r.Word, checktest.Told(r))
			}
		})
	}
}

// TestBrokenServers runs the real server in a way that departs from the defaults,
// and does not tell the checks: each is killed by the checks that it breaks.
func TestBrokenServers(t *testing.T) {
	t.Parallel()
	conform := "wire.conform"
	broken := map[string][]string{
		"signed-bytes=upper-hex":    {"delivery.signed"},
		"retries=none":              {"delivery.retry"},
		"event-order=shuffled":      {"delivery.order"},
		"event-order=duplicated":    {"delivery.retry"},
		"idempotency=ignored":       {"idempotency"},
		"error-body=plain-text":     {conform, "wire.refusal"},
		"error-body=empty":          {conform, "wire.refusal"},
		"unauthorised=empty-body":   {conform, "wire.refusal"},
		"response-names=pascal":     {conform},
		"extra-response-fields=one": {conform},
		"live=true":                 {"event.content"},
		"dates=millis":              {"event.content"},
		"kyb-sandbox=no-event":      {"event.each"},
		"payment-event=amount-text": {"money.event"},
		"profile:wrong-secret":      {"delivery.signed"},
		"profile:empty-secret":      {"delivery.signed"},
		"profile:altered-signature": {"delivery.signed"},
		"profile:missing-signature": {"delivery.signed"},
		"profile:altered-byte":      {"delivery.bytes", "delivery.signed"},
		"profile:altered-status":    {"delivery.bytes", "delivery.signed"},
		"profile:odd-json":          {"delivery.bytes"},
		"profile:stale-timestamp":   {"delivery.bytes"},
		"profile:unknown-event":     {"delivery.bytes"},
		"profile:extra-member":      {"delivery.bytes"},
		"profile:duplicate":         {"delivery.retry"},
		"profile:reorder":           {"delivery.order"},
		"profile:stale-signature":   {"delivery.signed"},
	}
	usual := brief(t, mocktest.Options{Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured)}, "").tape().opts.Document
	names := slices.Sorted(maps.Keys(broken))
	if sampling.Raced {
		names = sampling.Nth(t, 4, names, "the run without the race detector")
	}
	killed := 0
	for _, name := range names {
		o, profile := mocktest.Options{Seed: 3, Settings: latitude.Settings{}.Choose(latitude.IdempotencyHonoured)}, ""
		if p, ok := strings.CutPrefix(name, "profile:"); ok {
			profile = p
		} else {
			settings, err := latitude.Parse([]string{"idempotency=honoured", name})
			require.NoError(t, err)
			o.Settings = settings
		}
		f := shoot(t, brief(t, o, profile).tape())
		r := f.copy(t)
		r.meta.Latitude = map[string]string{"idempotency": "honoured"}
		for i := range r.entries {
			if a := r.entries[i].Attempt; a != nil {
				a.Profile, a.Reason = "", ""
			}
		}
		told := f.opts
		told.Document = usual
		got := failing(r.tape(told).judge())
		if len(got) > 0 {
			killed++
		}
		if !slices.Equal(broken[name], got) {
			t.Errorf("%q: %s", name, fmt.Sprint(got))
		}
	}
	t.Logf("%d of %d broken servers killed", killed, len(names))
}
