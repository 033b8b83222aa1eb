package console

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/webhook"
)

// entryPage is one entry in full.
type entryPage struct {
	feed.Detail
	Root      string
	Signature *feed.Signature
	// Advice is what to do where the receiver did not answer.
	Advice string
	// Compare says that the entry stands beside another one.
	Compare     bool
	CompareTo   uint64
	CompareWith string
	Differences []feed.Difference
	Notes       []remark
	// Changes are the members that it has changed; NoChanges says why they are not
	// known, and MayChange that they are told when asked for.
	Changes   []changed
	NoChanges string
	MayChange bool
	// TokenFrom is the command that fetches the token that Curl wants, "" where it wants none
	// or the control token, which Controls says.
	TokenFrom string
	Controls  bool
	// Editable says that it can be changed and sent again.
	Editable bool
}

// remark is what somebody has noted about an entry.
type remark struct {
	Seq  uint64
	Text string
}

// entry shows one entry.
func (v *visit) entry() {
	seq, err := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	e, ok := v.from.Entry(seq)
	if err != nil || !ok {
		v.missing(seq)
		return
	}
	v.open("entries", "Entry #"+strconv.FormatUint(seq, 10))
	p := entryPage{Root: v.root(), Detail: feed.DetailOf(v.from, e, call.Base(v.r)), CompareWith: v.r.URL.Query().Get("with")}
	if e.Attempt != nil {
		p.Signature = new(feed.SignatureOf(e.Attempt, v.secretOf(e.Attempt.Endpoint)))
		p.Advice = webhook.Advice(e.Attempt.Error, e.Attempt.URL)
	}
	switch {
	case v.on == nil:
	case e.Kind == tape.KindControl && e.Exchange != nil && v.console.guard.token != "":
		p.Curl, p.Controls = feed.Curl(e.Exchange, call.Base(v.r), true), true
	case strings.Contains(p.Curl, "$TOKEN"):
		p.TokenFrom = v.fetchToken("TOKEN")
	}
	if e.Message != nil {
		v.openMail(&p, &e)
	}
	if other, err := strconv.ParseUint(p.CompareWith, 10, 63); err == nil {
		if o, ok := v.from.Entry(other); ok {
			p.Compare, p.CompareTo, p.Differences = true, other, feed.Differences(&e, &o)
		}
	}
	p.Notes = v.notes(seq)
	v.changesOf(&p, &e)
	p.Editable = v.frame.Acts && e.Kind == tape.KindExchange && e.Exchange != nil
	v.show(http.StatusOK, "entry", &p)
}

// warned puts in words what the answer of a call warns about by names.
func (v *visit) warned(out *call.Outcome) {
	if seq, err := strconv.ParseUint(out.Entry, 10, 63); err == nil && out.Tone == "warn" {
		if e, ok := v.from.Entry(seq); ok {
			out.Findings = feed.DetailOf(v.from, e, "").Findings
		}
	}
}

// placed is an entry of one of the integrations.
type placed struct {
	feed.Row
	Root, Name string
}

// refusal leads from a problem's instance to its entry. The number is all that stands in
// it: where several integrations have a refusal of that number, one chooses.
func (v *visit) refusal() {
	seq, err := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	var list []placed
	for _, i := range v.console.opts.Registry.List() {
		e, ok := i.Entry(seq)
		if ok && err == nil && len(list) < maxListed && e.Exchange != nil && e.Exchange.Response.Status >= http.StatusBadRequest {
			list = append(list, placed{feed.RowOf(&e), Prefix + "/" + url.PathEscape(i.ID), cmp.Or(i.Options().Name, i.ID)})
		}
	}
	switch len(list) {
	case 0:
		v.refuse(http.StatusNotFound, "There is no such refusal", "No integration has a refused call with this number on its tape.",
			"A sandbox that was started again or reset forgets what it had, unless it keeps its data.")
	case 1:
		v.goTo(list[0].Root + "/entries/" + strconv.FormatUint(seq, 10))
	default:
		v.common("refusals", "Which refusal?")
		v.show(http.StatusOK, "refusals", list)
	}
}

// missing says why an entry is not there; it never claims that there was none.
func (v *visit) missing(seq uint64) {
	first, last := v.from.Bounds()
	switch {
	case seq > 0 && seq < first:
		v.refuse(http.StatusGone, "This entry has been dropped", "The tape keeps what fits, and has dropped everything before entry "+strconv.FormatUint(first, 10)+".",
			"Give the integration a longer tape (tapeEntries, tapeBytes) to keep more.")
	default:
		v.refuse(http.StatusNotFound, "There is no such entry", "The newest entry is "+strconv.FormatUint(last, 10)+".")
	}
}

// secretOf asks for the secret of a webhook endpoint.
func (v *visit) secretOf(endpoint string) string {
	if v.on == nil {
		return ""
	}
	for _, e := range v.endpoints() {
		if e.ID == endpoint {
			return e.Secret
		}
	}
	return ""
}

// notes finds what was noted about an entry.
func (v *visit) notes(seq uint64) (list []remark) {
	for _, e := range v.from.Read(tape.Filter{Kinds: []tape.Kind{tape.KindControl}, Operation: "addNote", Since: seq}) {
		if e.Exchange == nil || len(list) == maxNotes {
			continue
		}
		var n struct {
			Text string
			Data struct{ Entry uint64 }
		}
		if json.Unmarshal(e.Exchange.Request.Body, &n) == nil && n.Data.Entry == seq {
			list = append(list, remark{e.Seq, n.Text})
		}
	}
	return list
}

// maxNotes bounds the notes that are shown of an entry.
const maxNotes = 50

// requestPage is a call that can be changed and sent.
type requestPage struct {
	Seq                  uint64
	Method, Target, Body string
	Key                  string
	// Forks says that it can be sent to a copy of this integration first.
	Forks bool
}

// request shows a call of the partner API as a form.
func (v *visit) request() {
	seq, err := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	e, ok := v.from.Entry(seq)
	if err != nil || !ok || v.on == nil {
		v.missing(seq)
		return
	}
	v.open("entries", "Request #"+strconv.FormatUint(seq, 10))
	if e.Kind != tape.KindExchange || e.Exchange == nil || !v.frame.Acts {
		v.refuse(http.StatusConflict, "This cannot be sent from here", "Calls of the partner API can be changed and sent, by those who may do more than look.")
		return
	}
	x := e.Exchange
	p := requestPage{Seq: seq, Method: x.Method, Target: x.Path, Body: feed.BodyOf(x.Request.Body).Text, Key: tape.HeaderOf(x.Request.Header, "Idempotency-Key")}
	if x.Query != "" {
		p.Target += "?" + x.Query
	}
	p.Forks = v.get("/snapshots", &struct{}{}) == nil
	v.show(http.StatusOK, "request", &p)
}

// maxRequest bounds what is sent from a form, in bytes.
const maxRequest = 64 << 10

// send sends a call as the form has it, with a token of its own: to a fork, where
// nothing is lost, or to the integration itself.
func (v *visit) send() {
	if !v.readForm() {
		return
	}
	form := v.r.PostForm
	method, target, body := form.Get("method"), form.Get("target"), form.Get("body")
	switch {
	case v.on == nil || v.console.guard.looksOnly(v.r):
		v.refuse(http.StatusForbidden, "You may look here, and send nothing", "Nothing was sent.")
		return
	case !slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method) || !callable(http.MethodPost, target) || ours(target) || len(body) > maxRequest:
		v.refuse(http.StatusBadRequest, "This cannot be sent", "A call of the partner API is expected: a method, a path such as /Payment/Create, and at most 64 KiB. Nothing was sent.")
		return
	}
	to := client{id: v.id, ClientID: v.on.Options().ClientID, ClientSecret: v.on.Options().ClientSecret}
	if form.Get("to") != "here" {
		var err error
		if to, err = v.fork("try of entry " + v.r.PathValue("seq")); err != nil {
			v.failed(err)
			return
		}
	}
	out := v.sendAs(to, method, target, []byte(body), form.Get("key"))
	v.back(Prefix+"/"+url.PathEscape(to.id)+"/entries/"+cmp.Or(out.Entry, "1")+"?with="+v.r.PathValue("seq"), &out)
}

// ours says whether a path is no call of the partner API.
func ours(target string) bool {
	return slices.ContainsFunc([]string{Prefix, call.Prefix, "/pages", "/docs"}, func(p string) bool { return strings.HasPrefix(target, p) })
}

// client is whom a call is sent as.
type client struct{ id, ClientID, ClientSecret string }

// fork makes a copy of the integration as it is now; nothing stays behind of how.
func (v *visit) fork(name string) (client, error) {
	const snap = "console-try"
	var made struct{ ID, ClientID, ClientSecret string }
	at := "/integrations/" + url.PathEscape(v.id) + "/snapshots"
	saved := v.ask().Do(v.r, http.MethodPost, at, []byte(`{"name":"`+snap+`"}`))
	if err := saved.Err(); err != nil {
		return client{}, err
	}
	forked := v.ask().Do(v.r, http.MethodPost, at+"/"+snap+"/fork", []byte(`{"name":"`+name+`"}`))
	v.ask().Do(v.r, http.MethodDelete, at+"/"+snap, nil)
	if err := forked.Err(); err != nil {
		return client{}, err
	}
	err := json.Unmarshal(forked.Body, &made)
	return client{made.ID, made.ClientID, made.ClientSecret}, err
}

// sendAs sends a call of the partner API with a new token.
func (v *visit) sendAs(to client, method, target string, body []byte, key string) call.Outcome {
	partner := call.Caller{Handler: v.console.opts.Partner}
	credentials, _ := json.Marshal(map[string]string{"clientId": to.ClientID, "clientSecret": to.ClientSecret}) //nolint:errchkjson // texts
	var token struct{ AccessToken string }
	given := partner.Partner(v.r, http.MethodPost, "/Authentication/Token", credentials)
	if err := given.Err(); err != nil || json.Unmarshal(given.Body, &token) != nil {
		return call.Outcome{Tone: "bad", Title: "No token was given, so nothing was sent.", Entry: given.Header.Get(headerAtPlace)}
	}
	partner.Token = token.AccessToken
	var extra []string
	if key != "" {
		extra = []string{"Idempotency-Key", key}
	}
	a := partner.Partner(v.r, method, target, body, extra...)
	out := call.OutcomeOf(method, target, a)
	out.Title = "Sent: " + method + " " + target + " was answered " + strconv.Itoa(a.Status) + "."
	if to.id != v.id {
		out.Text = "In a fork of its own: nothing has changed in " + v.id + ". " + out.Text
	}
	return out
}
