package journey_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
	"paysandbox/harness/report"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
	"paysandbox/scenarios"
)

// elsewhereActor hands tasks to an application that works by itself, as an
// observed one does.
type elsewhereActor struct {
	tasks chan partner.Task
	said  []string
}

func (a *elsewhereActor) Perform(_ context.Context, t partner.Task) error {
	a.said = append(a.said, t.Say)
	if a.tasks != nil {
		a.tasks <- t
	}
	return nil
}

func (a *elsewhereActor) Settle(context.Context) error { return nil }

// stage is a sandbox with a clock that runs.
func stage(tb testing.TB) *partner.Stage {
	tb.Helper()
	s, err := mockserver.New(mockserver.Options{AllowLoopback: true, Integration: integration.Options{
		Name: "default", Seed: 3, Clock: integration.Real, Environment: world.Rehearsal, ClientID: "client", ClientSecret: "client-secret",
	}})
	require.NoError(tb, err)
	server := httptest.NewServer(s.Handler())
	tb.Cleanup(func() {
		server.Close()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), time.Minute)
		defer cancel()
		require.NoError(tb, s.Close(ctx))
	})
	return &partner.Stage{Base: server.URL, Integration: "default"}
}

// elsewhere is a sandbox with an application that works by itself, and who hands it its
// tasks.
func elsewhere(tb testing.TB) (*partner.Stage, *elsewhereActor) {
	tb.Helper()
	s, tasks := stage(tb), make(chan partner.Task)
	application(tb, s, tasks)
	tb.Cleanup(func() { close(tasks) })
	return s, &elsewhereActor{tasks: tasks}
}

// application runs by itself and does the tasks that it is handed.
func application(tb testing.TB, s *partner.Stage, tasks <-chan partner.Task) {
	tb.Helper()
	a, err := app.New(app.Options{
		BaseURL: s.Base, ClientID: "client", ClientSecret: "client-secret", WebhookSecret: "whsec_observed", Seed: 5, Now: time.Now, Parallel: 4,
	})
	require.NoError(tb, err)
	require.NoError(tb, a.Start(context.WithoutCancel(tb.Context())))
	var working sync.WaitGroup
	working.Go(func() {
		for t := range tasks {
			_ = a.Do(tb.Context(), t) // what is refused is the story's affair
		}
	})
	tb.Cleanup(func() {
		working.Wait()
		_ = a.Close()
	})
	_, err = s.Do(tb.Context(), "/webhooks", map[string]string{"url": a.HooksURL(), "secret": "whsec_observed"})
	require.NoError(tb, err)
}

func visit(ctx context.Context, address string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, res.Body)
	return res.StatusCode, res.Body.Close()
}

// The same stories are lived by an application that works by itself, on one
// integration with a clock that runs.
func TestPlayWaitsForTheActor(t *testing.T) {
	t.Parallel()
	s, actor := elsewhere(t)
	names := []string{"first-payment", "company-verified", "cancellation", "lost-answer", "token-expiry", "saved-card", "forged-events", "busy-morning"}
	played, err := journey.Play(t.Context(), journey.Plan{
		Scenarios: scenarios.FS(), Names: names,
		Setting: task.Setting{
			Actor: actor, Stage: s, Patience: 2 * time.Minute, Now: time.Now, Visit: visit, Seed: 4,
		},
	})
	require.NoError(t, err)
	require.Len(t, played, len(names))
	for i, p := range played {
		require.NoError(t, p.Err, "%s: %s", p.Name, p.Step)
		require.Equal(t, names[i], p.Name)
		require.Greater(t, p.To, p.From)
		if i > 0 {
			require.GreaterOrEqual(t, p.From, played[i-1].To)
		}
	}
	require.Contains(t, strings.Join(actor.said, "\n"), "request 49.90 from Dana for Northside Gym")
}

// The call that a task names is one that does it.
func TestTasksNameTheCall(t *testing.T) {
	t.Parallel()
	s, actor := elsewhere(t)
	var progress []string
	_, err := journey.Play(t.Context(), journey.Plan{
		Scenarios: scenarios.FS(), Names: []string{"company-slow", "cancellation", "refunds", "several-locations", "single-payment", "terminal", "saved-card", "debit-limit", "monthly-plan", "report-pages"},
		Setting: task.Setting{
			Actor: actor, Stage: s, Patience: 2 * time.Minute, Now: time.Now, Visit: visit, Seed: 4, Progress: func(text string) { progress = append(progress, text) },
		},
	})
	require.NoError(t, err)
	entries, err := s.Tape(t.Context(), "exchange")
	require.NoError(t, err)
	made := map[string]bool{}
	for _, e := range entries {
		made[e.Exchange.Method+" "+e.Exchange.Path] = true
	}
	for _, said := range actor.said {
		lines := strings.Split(said, "\n    ")
		require.Greater(t, len(lines), 1, said)
		line, _, _ := strings.Cut(lines[1], "?")
		require.True(t, made[line], "%s: nobody called %s", lines[0], line)
	}
	require.Contains(t, progress, "story: Dana comes back to the partner")
}

// Who does nothing is waited for, and then the story ends and says for what.
func TestPlayLosesPatience(t *testing.T) {
	t.Parallel()
	var progress []string
	played, err := journey.Play(t.Context(), journey.Plan{
		Scenarios: scenarios.FS(), Names: []string{"first-payment"},
		Setting: task.Setting{
			Actor: &elsewhereActor{}, Stage: stage(t), Patience: 50 * time.Millisecond, Now: time.Now, Progress: func(text string) { progress = append(progress, text) },
		},
	})
	require.NoError(t, err)
	require.ErrorContains(t, played[0].Err, "waited 0 s in vain for a call to register the company Northside Gym: 0 of 1 calls to createCompany")
	require.Equal(t, `Given the gym, "Northside Gym", is a customer of the partner`, played[0].Step)
	require.Equal(t, "journey first-payment begins: A gym becomes a customer of the partner. "+
		"One of its members registers, is asked for a month's fee, says yes, and the money arrives.", progress[0])
	require.Contains(t, progress, "waiting for a call to register the company Northside Gym (0 s of 0 s)")
}

// A partner that payers cannot come back to misses nothing but that.
func TestPlayWithoutReturn(t *testing.T) {
	t.Parallel()
	s, actor := elsewhere(t)
	var progress []string
	played, err := journey.Play(t.Context(), journey.Plan{
		Scenarios: scenarios.FS(), Names: []string{"single-payment"},
		Setting: task.Setting{
			Actor: actor, Stage: s, Patience: 2 * time.Minute, Now: time.Now, Progress: func(text string) { progress = append(progress, text) }, Visit: func(context.Context, string) (int, error) { return 0, io.ErrUnexpectedEOF },
		},
	})
	require.NoError(t, err)
	require.NoError(t, played[0].Err)
	require.Contains(t, progress, "story: Dana cannot come back to the partner: unexpected EOF")
	require.NotContains(t, progress, "story: Dana comes back to the partner")
	notes, err := s.Tape(t.Context(), "control")
	require.NoError(t, err)
	for _, e := range notes {
		require.NotContains(t, string(e.Exchange.Request.Body), `"redirect"`)
	}
}

func TestPlayEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := stage(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := journey.Play(ctx, journey.Plan{
		Scenarios: scenarios.FS(),
		Setting: task.Setting{
			Actor: &elsewhereActor{}, Stage: s, Patience: time.Hour, Now: time.Now,
		},
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// leaving is an application that is gone as soon as a journey has begun.
type leaving struct {
	*report.Collector

	leave func()
}

func (l leaving) ScenarioStarted(s report.ScenarioStart) {
	l.Collector.ScenarioStarted(s)
	l.leave()
}

// TestAJourneyThatDidNotBegin has not come to its end either: it was taken for one that
// has when the application went before the choices of the service were known.
func TestAJourneyThatDidNotBegin(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	collector := report.NewCollector(nil)
	played, err := journey.Play(ctx, journey.Plan{
		Scenarios: scenarios.FS(), Names: []string{"first-payment"}, Sink: leaving{collector, cancel},
		Setting: task.Setting{Actor: &elsewhereActor{}, Stage: stage(t), Patience: time.Hour, Now: time.Now},
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, played, 1)
	require.ErrorIs(t, played[0].Err, context.Canceled)
	require.Equal(t, report.Skipped, collector.Report().Scenarios[0].Status)
}

func TestPlayRefuses(t *testing.T) {
	t.Parallel()
	_, err := journey.Play(t.Context(), journey.Plan{Scenarios: scenarios.FS(), Names: []string{"frist-payment"}})
	require.ErrorIs(t, err, journey.ErrUnknown)
	for name, text := range map[string]string{
		"no scenario":   "Feature: x\n",
		"two scenarios": "Feature: x\n  Scenario: a\n    When 1 day passes\n  Scenario: b\n    When 1 day passes\n",
		"an outline":    "Feature: x\n  Scenario Outline: a\n    When <n> days pass\n    Examples:\n      | n |\n      | 1 |\n      | 2 |\n",
		"no steps":      "Feature: x\n  Scenario: a\n",
		"no Gherkin":    "Once upon a time\n",
	} {
		_, err := journey.List(fstest.MapFS{"a.feature": {Data: []byte(text)}})
		require.ErrorContains(t, err, "a.feature", name)
	}
}
