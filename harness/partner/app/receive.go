package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/harness/partner"
)

// maxEvent bounds what is read of a delivery, in bytes.
const maxEvent = 1 << 20

// The events that the application knows. It ignores others.
const (
	eventCompany = "COMPANY_VERIFICATION_STATUS_CHANGED"
	eventPayment = "PAYMENT_STATUS_CHANGED"
)

// event is a delivery's content, as far as the application needs it: it says
// what has changed, and when.
type event struct {
	Live  bool
	Event string
	Data  struct {
		CompanyID      string `json:"CompanyId"`
		PaymentID      string `json:"PaymentId"`
		RegistrationID string `json:"RegistrationId"`
		Status         string
		Timestamp      string
		// What the documentation has besides.
		Amount                        json.RawMessage
		Currency, AccountNumberMasked string
	}
}

// key is the same for all deliveries of one event: events have no id.
func (e *event) key() string {
	return e.Data.Timestamp + " " + e.Event + " " + or(e.Data.PaymentID, e.Data.CompanyID) + " " + e.Data.Status
}

// at is the time of the event; the zero time when it cannot be read.
func (e *event) at() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.Data.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// hook receives a delivery.
func (a *App) hook(w http.ResponseWriter, r *http.Request) {
	a.heard.Store(a.o.Now().UnixNano())
	body, err := io.ReadAll(io.LimitReader(r.Body, maxEvent))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.WriteHeader(a.policy.receive(body, r.Header.Get("X-HMAC-Signature")))
}

// receive takes a delivery in, and gives the status to answer. It looks at the
// signature before anything else, and answers before any work is done: the work
// waits in the inbox.
func (a *App) receive(body []byte, signature string) int {
	if !a.secrets.genuine(body, signature) {
		return http.StatusUnauthorized
	}
	e, err := readEvent(body)
	if err != nil {
		return http.StatusBadRequest
	}
	if e.Event == eventCompany || e.Event == eventPayment { // a later version of the service knows more
		a.inbox.put(letter{order: e.key(), once: true, work: func(ctx context.Context) error { return a.hear(ctx, &e) }})
	}
	return http.StatusOK
}

// readEvent decodes an event; members that it does not know are passed over.
func readEvent(body []byte) (event, error) {
	var e event
	d := json.NewDecoder(bytes.NewReader(body))
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("read an event: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return e, errors.New("read an event: something follows it")
	}
	return e, nil
}

// letter is something that came in and waits to be worked on: an event, or a payer
// who came back.
type letter struct {
	// order is the time and the name of what came in.
	order string
	// once lets a letter in a single time, however often and at what moment it comes.
	once bool
	work func(ctx context.Context) error
}

// inbox keeps letters in the order in which they came.
type inbox struct {
	mu      sync.Mutex
	letters []letter
	seen    map[string]bool
	news    chan struct{}
}

func newInbox() *inbox { return &inbox{seen: map[string]bool{}, news: make(chan struct{}, 1)} }

// put looks whether a letter is new, notes that it came and keeps it, in one step.
func (i *inbox) put(l letter) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if l.once && i.seen[l.order] {
		return
	}
	i.seen[l.order] = true
	i.letters = append(i.letters, l)
	select { // tell the worker that there is something to do
	case i.news <- struct{}{}:
	default:
	}
}

// take empties the inbox. Where it is wanted, letters that came in at the same
// moment are sorted, so that it does not matter in which order they came.
func (i *inbox) take(sorted bool) []letter {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := i.letters
	i.letters = nil
	if sorted {
		slices.SortStableFunc(all, func(l, m letter) int { return cmp.Compare(l.order, m.order) })
	}
	return all
}

// secrets are those with which deliveries may be signed: the newest, and the one
// before, of which deliveries can still be on their way.
type secrets struct {
	mu  sync.Mutex
	all []string
}

// AcceptSecret makes deliveries that are signed with this secret welcome. Those
// with the one before stay welcome. An empty secret is none: anybody can sign with it.
func (a *App) AcceptSecret(secret string) {
	if secret == "" {
		return
	}
	s := &a.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append([]string{secret}, slices.DeleteFunc(s.all, func(old string) bool { return old == secret })...)
	s.all = s.all[:min(len(s.all), 2)]
}

// accepted lists the secrets, the newest first.
func (s *secrets) accepted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// genuine says whether a signature is that of the exact bytes. Comparing takes
// the same time wherever two signatures differ.
func (s *secrets) genuine(body []byte, signature string) bool {
	fits := false
	for _, secret := range s.accepted() {
		fits = signedWith(secret, body, signature) || fits
	}
	return fits
}

// signedWith compares with sha256= and the HMAC-SHA256 in hex, in either case.
func signedWith(secret string, body []byte, signature string) bool {
	return hmac.Equal([]byte(strings.ToLower(signature)), []byte(signatureOf(secret, body)))
}

// signatureOf is the right signature of a body.
func signatureOf(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body) // a hash never fails
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// pollFirst is how long after it was made, or has changed, a payment is read; each
// further read comes half as much later, until they are pollLast apart. A payment that
// is Paid goes on being read: the bank may still take the money back.
const pollFirst, pollLast = 1500 * time.Millisecond, 4 * time.Second

// poll reads the payments again whose turn it is, and says how many. It stands in the
// place of webhooks.
func (a *App) poll(ctx context.Context) int {
	if !a.o.Polls {
		return 0
	}
	due := a.book.toRead(a.Now())
	for _, id := range due {
		if err := a.ask(ctx, partner.DoPaymentStatus, "paymentRequestId", id); err != nil && ctx.Err() == nil {
			a.o.Say("could not read payment " + id + ": " + err.Error())
		}
	}
	return len(due)
}

// toRead lists the payments whose state may have changed, and is to be read now.
func (b *book) toRead(now time.Time) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var due []string
	for _, id := range b.order {
		p := b.payments[id]
		if p.read.status != p.status || p.read.pause == 0 {
			p.read.status, p.read.pause, p.read.due = p.status, pollFirst, now.Add(pollFirst)
		}
		if rank(p.status) < rank(failed) && !now.Before(p.read.due) {
			due = append(due, id)
			p.read.pause = min(p.read.pause*3/2, pollLast)
			p.read.due = now.Add(p.read.pause)
		}
	}
	return due
}

// reading is when a payment is read again, by an application that polls.
type reading struct {
	// status is the one that was known when the pause was chosen.
	status string
	pause  time.Duration
	due    time.Time
}
