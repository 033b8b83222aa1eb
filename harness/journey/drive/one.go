package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/journey"
	"paysandbox/harness/journey/task"
	"paysandbox/harness/partner"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// scene is one journey that is driven: its integration and its application.
type scene struct {
	driver *driver
	name   string
	stage  *partner.Stage
	made   partner.Integration
	app    Application
	// host is the application's name, "" where it is called by its address.
	host string
	// secrets are those that deliveries are signed with.
	secrets []string
}

// one drives one journey from the first call to the verdict.
func (d *driver) one(ctx context.Context, j journey.Journey) (driven *Driven, err error) {
	sc, err := d.open(ctx, j)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sc.close(context.WithoutCancel(ctx))) }()
	played, err := journey.Play(ctx, journey.Plan{
		Scenarios: d.plan.Scenarios, Names: []string{j.Name}, Sink: d.plan.Sink,
		Setting: task.Setting{Actor: sc, Stage: sc.stage, Now: d.plan.Now, Visit: sc.visit, Probe: sc.probe, Seed: d.plan.Seed},
	})
	if err != nil {
		return nil, err
	}
	return sc.judge(ctx, played[0])
}

// open makes the integration, starts the application, and tells the service where
// it hears of events.
func (d *driver) open(ctx context.Context, j journey.Journey) (*scene, error) {
	sc := &scene{driver: d, name: j.Name, stage: &partner.Stage{Base: d.plan.BaseURL, Token: d.plan.ControlToken, HTTP: d.client}}
	made, err := sc.stage.Create(ctx, partner.NewIntegration{
		Name: "journey " + j.Name, Seed: seedOf(j.Name, d.plan.Seed), Environment: "rehearsal", Clock: partner.Clock{Mode: "manual"},
		Latitude: d.plan.Latitude, Strict: d.plan.Strict,
	})
	if err != nil {
		return nil, err
	}
	sc.made, sc.stage.Integration, sc.secrets = made, made.ID, []string{made.WebhookSecret}
	if err := sc.start(ctx); err != nil {
		return nil, errors.Join(err, sc.close(context.WithoutCancel(ctx)))
	}
	return sc, nil
}

func (sc *scene) start(ctx context.Context) error {
	setting := Setting{
		BaseURL: sc.stage.Base, ClientID: sc.made.ClientID, ClientSecret: sc.made.ClientSecret, WebhookSecret: sc.made.WebhookSecret,
		Keys: sc.driver.plan.Latitude["idempotency"] == "honoured",
		HTTP: sc.driver.plan.hosts().Client(callPatience, true), Seed: seedOf(sc.name+"'s application", sc.driver.plan.Seed), Now: sc.now, Sleep: sc.sleep,
	}
	if sc.driver.plan.Hosts != nil {
		sc.host = sc.name + ".partner.test"
		setting.PublicURL = "http://" + sc.host
	}
	// The application waits by moving the clock.
	if _, err := sc.stage.Do(ctx, "/notes", trail.NewNote("virtual-time", "the application waits in virtual time", struct{}{})); err != nil {
		return err
	}
	app, err := sc.driver.plan.New(setting)
	if err != nil {
		return fmt.Errorf("make the application: %w", err)
	}
	sc.app = app
	if err := app.Start(ctx); err != nil {
		return fmt.Errorf("start the application: %w", err)
	}
	if sc.host != "" {
		sc.driver.plan.Hosts.Set(sc.host+":80", app.Listens())
	}
	_, err = sc.stage.Do(ctx, "/webhooks", map[string]any{"url": app.HooksURL(), "secret": sc.made.WebhookSecret})
	return err
}

// close ends the application and takes the integration away.
func (sc *scene) close(ctx context.Context) error {
	var err error
	if sc.app != nil {
		err = sc.app.Close()
	}
	if sc.host != "" {
		sc.driver.plan.Hosts.Set(sc.host+":80", "")
	}
	return errors.Join(err, sc.stage.Delete(ctx))
}

// Perform lets the application do a task.
func (sc *scene) Perform(ctx context.Context, t partner.Task) error {
	if secret, ok := t.With["secret"].(string); ok && t.Do == partner.DoAcceptSecret {
		sc.secrets = append(sc.secrets, secret)
	}
	return sc.app.Do(ctx, t)
}

// rounds bounds how often an application may find something new to do.
const rounds = 10_000

var errRestless = errors.New("the application does not come to rest")

// Settle lets deliveries and the application take turns until neither has
// anything left to do. To read the tape is to wait for what is under way.
func (sc *scene) Settle(ctx context.Context) error {
	for range rounds {
		if _, err := sc.stage.Get(ctx, "/tape?limit=1"); err != nil {
			return err
		}
		n, err := sc.app.Drain(ctx)
		if err != nil || n == 0 {
			return err
		}
	}
	return errRestless
}

// judge reads the tape and holds it to every check.
func (sc *scene) judge(ctx context.Context, played journey.Played) (*Driven, error) {
	if err := sc.Settle(ctx); err != nil {
		return nil, err
	}
	a, err := sc.stage.Get(ctx, "/tape")
	if err != nil {
		return nil, err
	}
	d := &Driven{Played: played}
	if d.Meta, d.Entries, err = tape.Read(bytes.NewReader(a.Body)); err != nil {
		return nil, err
	}
	document := sc.driver.described.Of(d.Meta.Latitude, func() ([]byte, error) {
		a, err := sc.stage.Get(ctx, "/openapi.json")
		if err != nil {
			return nil, err
		}
		return a.Body, nil
	})
	checks := check.Service(service.Options{
		Document: document, WebhookSecrets: map[string][]string{"": sc.secrets}, Secrets: []string{sc.made.ClientSecret},
	})
	t := trail.New(d.Meta, d.Entries)
	d.Clauses, d.Standing = check.Judge(t, check.Integration()), check.Judge(t, checks)
	d.conclude()
	return d, nil
}
