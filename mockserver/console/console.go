// Package console serves the web console for people under /console: what happens
// live, what went wrong, what there is, and every control call as a button.
//
// It is a view on the control API. What it shows as a state it takes from there, by
// calls inside the process; what it does is a control call too, and so on the tape,
// and it tells the command that does the same. The tape it reads from the
// integration. The verdict and cases come from functions that cmd hands in, for
// mockserver knows nothing of harness. Pages are written by the server and work
// without scripts; with them they are live.
//
//	feed     a tape as rows, filters, search, causes, problems, signatures
//	stream   what happens, brought to browsers
//	call     the control API, asked from inside the process
//	archive  what a tape tells of an integration that runs no more
//	diagram  pictures of the state machines
//	cases    cases that were made of partners' files
//	readiness  verdicts, those of stored reports, their trend
//	session  who has signed in
//	sheet    templates, scripts, styles, content policy
//
// It keeps no state of the sandbox. It must not import api, hosted or control.
package console

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/cases"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/console/sheet"
	"paysandbox/mockserver/console/stream"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Prefix is where the console lives.
const Prefix = "/console"

// common begins the paths that belong to no integration. An integration's id never
// is a hyphen.
const common = Prefix + "/-/"

// SignIn is where the form with the control token is sent to.
const SignIn = common + "login"

// Options are what the console needs from the house.
type Options struct {
	// Registry holds the integrations.
	Registry *integration.Registry
	// Control answers control calls.
	Control http.Handler
	// Token is the control token: who looks must know it. Empty lets in whoever comes
	// from this machine.
	Token string
	// ReadToken is a second token, for those who look and move nothing; empty for none.
	ReadToken string
	// Shared says that other processes serve the same, with the same tokens.
	Shared bool
	// Titles gives the titles of clauses; nil when nobody knows them.
	Titles feed.Titles
	// Judge comes to the verdict on a tape; nil when nobody can.
	Judge readiness.Judge
	// Report reads a stored report; nil when nobody can. Reports are those of a folder;
	// nil without one.
	Report  readiness.Read
	Reports func() []*readiness.Stored
	// Case makes a case of a partner's files; nil when nobody can.
	Case cases.Make
	// Letter writes a message as its reader gets it.
	Letter func(*tape.Message) Letter
	// Perform does a task for an application; nil when nobody can. Partner is the
	// partner API.
	Perform Perform
	Partner http.Handler
	// Past plays a file's tape up to an entry, into an integration that has come from
	// it before, or a new one where that is nil; nil when nobody can.
	Past func(ctx context.Context, made *integration.Integration, meta *tape.Meta, of func(seq uint64) (tape.Entry, bool), seq uint64) (*integration.Integration, error)
	// Log gets what goes wrong.
	Log *slog.Logger
	// Wall is the wall clock.
	Wall func() time.Time
}

// Console serves the pages.
type Console struct {
	opts     Options
	hub      *stream.Hub
	life     door.Life
	pages    *http.ServeMux
	guard    guard
	outcomes call.Outcomes
	files    files
	cases    sync.Mutex
	shelf    cases.Shelf
	stored   readiness.Shelf
	problems problemBooks
	verdicts verdicts
	prepared prepared
}

// New makes the console. Stop ends what it streams.
func New(o Options) *Console {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Wall == nil {
		o.Wall = integration.Wall
	}
	c := &Console{
		opts: o, hub: stream.NewHub(), life: door.NewLife(), guard: newGuard(&o),
	}
	c.pages = c.routes()
	return c
}

// Stop ends every stream, so that a server can shut down, and what has not been begun
// beside it. It may be called more than once.
func (c *Console) Stop() {
	c.life.End()
	c.hub.Stop()
}

// Wait lets end what was begun beside the requests: the error is the context's where that
// ends before. It is called after Stop.
func (c *Console) Wait(ctx context.Context) error {
	over := make(chan struct{})
	go func() {
		c.verdicts.work.Wait()
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ofOne are the pages of an integration, or of a file.
func ofOne() map[string]func(*visit) {
	return map[string]func(*visit){
		"GET /console/{i}":                       (*visit).toLive,
		"GET /console/{i}/live":                  (*visit).live,
		"GET /console/{i}/stream":                (*visit).stream,
		"GET /console/{i}/entries/{seq}":         (*visit).entry,
		"GET /console/{i}/entries/{seq}/request": (*visit).request,
		"POST /console/{i}/entries/{seq}/send":   (*visit).send,
		"GET /console/{i}/problems":              (*visit).problems,
		"GET /console/{i}/clauses/{clause}":      (*visit).clause,
		"GET /console/{i}/entities":              (*visit).entities,
		"GET /console/{i}/world":                 (*visit).world,
		"GET /console/{i}/entities/{entity}":     (*visit).entity,
		"GET /console/{i}/deliveries":            (*visit).deliveries,
		"GET /console/{i}/inbox":                 (*visit).inbox,
		"GET /console/{i}/inbox/{seq}":           (*visit).mail,
		"GET /console/{i}/clock":                 (*visit).clock,
		"GET /console/{i}/trouble":               (*visit).trouble,
		"GET /console/{i}/readiness":             (*visit).readiness,
		"GET /console/{i}/settings":              (*visit).settings,
		"POST /console/{i}/do":                   (*visit).do,
		"GET /console/{i}/journeys":              (*visit).journeys,
		"POST /console/{i}/perform":              (*visit).perform,
		"POST /console/{i}/begin":                (*visit).begin,
		"POST /console/{i}/resend":               (*visit).resend,
	}
}

// ofAll are the pages that belong to no integration.
func ofAll() map[string]func(*visit) {
	return map[string]func(*visit){
		"GET /console/{$}":                (*visit).home,
		"GET /console":                    (*visit).home,
		"GET /console/-/integrations":     (*visit).integrations,
		"GET /console/-/entries/{seq}":    (*visit).refusal,
		"GET /console/-/file":             (*visit).fileForm,
		"POST /console/-/file":            (*visit).openFile,
		"POST /console/-/logout":          (*visit).logout,
		"GET /console/-/reports/{report}": (*visit).report,

		"GET /console/-/cases/{case}":                 (*visit).theCase,
		"POST /console/-/cases/{case}/minimise":       (*visit).minimise,
		"GET /console/-/cases/{case}/download/{form}": (*visit).download,
	}
}

// routes are all pages but the one to sign in.
func (c *Console) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, page := range ofOne() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if v := c.visit(w, r); v.find() {
				page(v)
			}
		})
	}
	for pattern, page := range ofAll() {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { page(c.visit(w, r)) })
	}
	return mux
}

// ServeHTTP answers one request. Who may not look is told so before anything else is
// looked at.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := c.visit(w, r)
	switch {
	case c.guard.foreign(r):
		v.refuse(http.StatusForbidden, "This page is not open to others",
			"The console answers only pages of its own, and without a control token only under a name of this machine.")
	case strings.HasPrefix(r.URL.Path, sheet.AssetsPrefix) && looks(r):
		sheet.ServeAsset(w, r)
	case r.URL.Path == SignIn:
		v.login()
	case !c.guard.knows(r):
		v.askToken()
	default:
		if _, pattern := c.pages.Handler(r); pattern == "" {
			v.nowhere()
			return
		}
		c.pages.ServeHTTP(w, r)
	}
}

// looks says whether a request only reads.
func looks(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// integrationView is an integration in the list of them.
type integrationView struct {
	ID, Name, ClientID, Environment string
	Clock                           struct{ Mode, Now string }
	TapeEntries, Entities           int
}

// Address leads to its screens.
func (i integrationView) Address() string { return Prefix + "/" + i.ID + "/live" }

// maxListed bounds the integrations that are listed.
const maxListed = 200

// integrations lists the integrations.
func (v *visit) integrations() {
	var list struct{ Integrations []integrationView }
	if err := v.ask().Get(v.r, "/integrations", &list); err != nil {
		v.failed(err)
		return
	}
	q := strings.ToLower(strings.TrimSpace(v.r.URL.Query().Get("q")))
	page := struct {
		Query string
		Total int
		List  []integrationView
		More  bool
		// Strangers are the newest calls of nobody that are on no tape.
		Strangers []feed.Row
	}{Query: q, Total: len(list.Integrations)}
	calls, _ := v.console.opts.Registry.Strangers().Entries()
	for n := range calls {
		page.Strangers = append(page.Strangers, feed.RowOf(&calls[len(calls)-1-n]))
	}
	for _, i := range slices.Backward(list.Integrations) {
		if q != "" && !strings.Contains(strings.ToLower(i.ID+" "+i.Name+" "+i.ClientID), q) {
			continue
		}
		if len(page.List) == maxListed {
			page.More = true
			break
		}
		page.List = append(page.List, i)
	}
	v.common("integrations", "Integrations")
	v.show(http.StatusOK, "integrations", &page)
}
