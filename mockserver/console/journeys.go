package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"paysandbox/fixtures"
	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/diagram"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// Perform does a task for an application, by calls of the partner API as a careful
// application makes them. cmd hands it in. later says that it may not be done yet.
type Perform func(ctx context.Context, partner http.Handler, clientID, clientSecret string, task json.RawMessage) (later bool, err error)

// performFor bounds a task.
const performFor = 20 * time.Second

// journeysPage is what the screen Journeys shows.
type journeysPage struct {
	// Hand are the tasks that are open, Tasks all that were given, newest first.
	Hand, Tasks []feed.Task
	// Can says that a task can be done from here.
	Can      bool
	Sequence *diagram.Sequence
	// Text is what is searched for, in Looked of All entries.
	Text        string
	Looked, All uint64
	// Older leads to what happened before.
	Older string
	Quiet bool
}

// maxHand bounds the tasks in hand, and maxTold the other ones that are listed.
const (
	maxHand = 5
	maxTold = 40
)

// journeys shows what is played or lived now.
func (v *visit) journeys() {
	v.open("journeys", "Journeys")
	query := v.query(v.r.URL.Query())
	p := journeysPage{Can: v.frame.Acts && v.console.opts.Perform != nil, Text: query.Text}
	tasks := slices.DeleteFunc(feed.Tasks(v.from), func(t feed.Task) bool { return !feed.Has(p.Text, t.Say, t.Do, string(t.With)) })
	for n := len(tasks) - 1; n >= 0; n-- {
		if tasks[n].Done == 0 && len(p.Hand) < maxHand {
			p.Hand = append(p.Hand, tasks[n])
		} else if len(p.Tasks) < maxTold {
			p.Tasks = append(p.Tasks, tasks[n])
		}
	}
	story := feed.StoryOf(v.from, query)
	p.Looked, p.All = story.Last+1-story.From, story.Last+1-story.First
	if p.Quiet = story.Last == 0; len(story.Acts) > 0 {
		p.draw(v.root(), &story)
	}
	if story.More {
		q := v.r.URL.Query()
		q.Set("before", strconv.FormatUint(story.From, 10))
		p.Older = v.root() + "/journeys?" + q.Encode()
	}
	v.show(http.StatusOK, "journeys", &p)
}

// draw draws the story.
func (p *journeysPage) draw(root string, story *feed.Story) {
	list := make([]diagram.Message, 0, len(story.Acts))
	for n := range story.Acts {
		a := &story.Acts[n]
		m := diagram.Message{From: a.From, To: a.To, Text: a.Text, Answer: a.Answer, Link: root + "/entries/" + strconv.FormatUint(a.Seq, 10), Class: a.Kind + " " + string(a.Outcome)}
		if a.Times > 1 {
			m.Text = strconv.Itoa(a.Times) + " × " + m.Text
		}
		list = append(list, m)
	}
	s := diagram.Sequenced([]string{"application", "sandbox", "people"}, list)
	p.Sequence = &s
}

// perform does a task for the application.
func (v *visit) perform() {
	if !v.readForm() {
		return
	}
	seq, err := strconv.ParseUint(v.r.PostForm.Get("task"), 10, 63)
	task, found := v.openTask(seq)
	switch {
	case v.on == nil || v.console.opts.Perform == nil:
		v.refuse(http.StatusBadRequest, "This cannot be done here", "This process was put together without what does tasks. Nothing was done.")
		return
	case v.console.guard.looksOnly(v.r):
		v.refuse(http.StatusForbidden, "You may look here, and do nothing", "You have signed in with the read-only token. Nothing was done.")
		return
	case err != nil || !found:
		v.refuse(http.StatusConflict, "This task is not open", "Somebody has done it meanwhile, or it was never given. Nothing was done.")
		return
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), performFor)
	defer cancel()
	o := v.on.Options()
	later, err := v.console.opts.Perform(ctx, call.Stands(v.console.opts.Partner), o.ClientID, o.ClientSecret, task.Raw)
	out := call.Outcome{Tone: "good", Title: "Done for you: " + task.Say + "."}
	switch {
	case err != nil:
		out.Tone, out.Title, out.Text = "bad", "It could not be done: "+task.Say+".", err.Error()
	case later:
		out.Tone, out.Title, out.Text = "warn", "It may not be done yet: "+task.Say+".", "What it needs is not there: a company that is Verified, a payer who has registered. Let it happen (Entities, Clock), then press again."
	}
	v.back(v.root()+"/journeys", &out)
}

// begin makes the first calls that anybody makes: a token, a company, and a payment, to
// whose page it leads. Its payer has linked an account, so that nothing warns of what
// happens next.
func (v *visit) begin() {
	if !v.readForm() {
		return
	}
	if v.on == nil || v.console.guard.looksOnly(v.r) {
		v.refuse(http.StatusForbidden, "You may look here, and do nothing", "Calls are made by who may. Nothing was done.")
		return
	}
	o := v.on.Options()
	partner := call.Caller{Handler: v.console.opts.Partner}
	credentials, _ := json.Marshal(map[string]string{"clientId": o.ClientID, "clientSecret": o.ClientSecret}) //nolint:errchkjson // texts alone
	var got struct{ AccessToken, PaymentRequestID, RegistrationPersonID string }
	for _, step := range []struct {
		path string
		body []byte
	}{
		{"/Authentication/Token", credentials},
		{"/Company/Create", fixtures.CompanyJSON(0)},
		{"/Payment/Create", []byte(`{"amount":5000,"contactNumber":"+12025550142","shortDescription":"Membership","reference":"first"}`)},
	} {
		partner.Token = got.AccessToken
		a := partner.Partner(v.r, http.MethodPost, step.path, step.body)
		if err := a.Err(); err != nil {
			v.back(v.root()+"/live", &call.Outcome{Tone: "bad", Title: "POST " + step.path + " was refused.", Text: err.Error()})
			return
		}
		_ = json.Unmarshal(a.Body, &got) // each answer has some of them, or none
	}
	linked := v.ask().Do(v.r, http.MethodPost, "/integrations/"+url.PathEscape(v.id)+"/registrations/"+url.PathEscape(got.RegistrationPersonID)+"/complete", []byte("{}"))
	if err := linked.Err(); err != nil {
		v.back(v.root()+"/entities/"+url.PathEscape(got.PaymentRequestID), &call.Outcome{Tone: "warn", Title: "The first payment is asked for, and its payer has linked no account.", Text: err.Error()})
		return
	}
	v.back(v.root()+"/entities/"+url.PathEscape(got.PaymentRequestID), &call.Outcome{
		Tone: "good", Title: "A company is registered, its payer has linked an account, and its first payment is asked for.",
		Text: "It waits for its payer. Press approve to say yes in the payer's place, and watch it become Processing and Paid. Register where your application listens first, and you see what it is told.",
	})
}

// openTask finds a task that is not done.
func (v *visit) openTask(seq uint64) (feed.Task, bool) {
	for _, t := range feed.Tasks(v.from) {
		if t.Seq == seq && t.Done == 0 {
			return t, true
		}
	}
	return feed.Task{}, false
}

// dueList is what the control API says of what is due.
type dueList struct {
	Due   []due
	Total int
}

// ending is what a file waited for at its end.
type ending struct {
	mu   sync.Mutex
	busy chan struct{} // closed when it is known, or why not
	due  dueList
	err  error
}

// dueAtEnd plays a file to its end beside the page, and waits for that no longer than soon.
func (v *visit) dueAtEnd(o *opened) (list dueList, underWay bool, err error) {
	e := &o.ending
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.busy == nil {
		busy := make(chan struct{})
		e.busy = busy
		aside := *v
		ctx, end := v.console.life.During(context.WithoutCancel(v.r.Context()))
		aside.r = v.r.WithContext(ctx)
		v.console.verdicts.work.Go(func() {
			defer end()
			defer close(busy)
			_, last := o.Bounds()
			e.err = aside.getAt("/clock/due", url.Values{"limit": {"500"}}, last, &e.due)
		})
	}
	select {
	case <-e.busy:
	case <-time.After(soon):
		return dueList{}, true, nil
	}
	if e.err != nil {
		e.busy = nil // the next page tries again
	}
	return e.due, false, e.err
}

// labelled are those of what is due that are about what the label was last put on, all where
// none is looked at alone.
func (v *visit) labelled(list []due) []due {
	if v.frame.Label == "" {
		return list
	}
	about := map[string]string{}
	for _, d := range list {
		about[d.Entity] = ""
	}
	if v.on != nil {
		v.on.LabelsAbout(about)
	} else {
		v.from.Back(tape.Filter{}, func(e tape.Entry) bool {
			for _, id := range e.Entities {
				if label, asked := about[id]; asked && label == "" {
					about[id] = e.Label
				}
			}
			return true
		})
	}
	return slices.DeleteFunc(list, func(d due) bool { return about[d.Entity] != v.frame.Label })
}
