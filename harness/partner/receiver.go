package partner

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxEvent bounds what is read of a delivery, in bytes.
const maxEvent = 1 << 20

// Delivery is one webhook request as it came in.
type Delivery struct {
	// Header holds the request's headers, Body its exact bytes.
	Header http.Header
	Body   []byte
}

// Event is the content of a delivery. Specification, Events.
type Event struct {
	Live  bool           `json:"Live"`
	Event string         `json:"Event"`
	Data  map[string]any `json:"Data"`
}

// Read decodes the delivery's body; numbers stay as they are written.
func (d *Delivery) Read() (Event, error) {
	var e Event
	if err := decode(d.Body, &e); err != nil {
		return e, fmt.Errorf("read the event %q: %w", shown(d.Body), err)
	}
	return e, nil
}

// Signed says whether X-HMAC-Signature is sha256= and the lower-case hex of the
// HMAC-SHA256 of the exact bytes under the secret.
func (d *Delivery) Signed(secret string) bool {
	return hmac.Equal([]byte(d.Header.Get("X-HMAC-Signature")), []byte(Signature(secret, d.Body)))
}

// Signature is what X-HMAC-Signature holds for a body. Specification, Events.
func Signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// Receiver is a webhook receiver on a loopback port. It keeps what comes in and
// answers as it is told, 200 at first. It is safe for concurrent use.
type Receiver struct {
	// URL is its address.
	URL string

	server *http.Server
	mu     sync.Mutex
	got    []Delivery
	news   chan struct{}
	answer []int
	// released is closed when deliveries are answered again, for which each waits
	// no longer than patience; overdue is true when one has waited in vain.
	released chan struct{}
	patience time.Duration
	overdue  bool
}

// NewReceiver starts a receiver; Close ends it.
func NewReceiver(ctx context.Context) (*Receiver, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{URL: "http://" + l.Addr().String() + "/hooks", news: make(chan struct{})}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = r.server.Serve(l) }()
	return r, nil
}

// Close ends the receiver.
func (r *Receiver) Close() error { return r.server.Close() }

// Answer sets the statuses of the next answers; the last one stays.
func (r *Receiver) Answer(statuses ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = statuses
}

// File is the address at which the receiver hands out a file that begins like a PDF.
func (r *Receiver) File() string { return r.URL + filePath }

// FileBehind is an address that leads to the file by some redirects.
func (r *Receiver) FileBehind(redirects int) string {
	return r.File() + "?" + redirectsLeft + "=" + strconv.Itoa(redirects)
}

// filePath stands behind the receiver's address.
const filePath, redirectsLeft = "/agreement.pdf", "redirects"

// ServeHTTP takes in one delivery, or hands out the file. Anything else is a probe,
// which is answered and not kept.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, filePath) {
		if left, _ := strconv.Atoi(req.URL.Query().Get(redirectsLeft)); left > 0 {
			http.Redirect(w, req, r.FileBehind(left-1), http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4\n%%EOF\n")
		return
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxEvent))
	if err != nil || req.Method != http.MethodPost {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	status := r.keep(Delivery{Header: req.Header.Clone(), Body: body})
	r.wait(req.Context())
	w.WriteHeader(status)
}

// Hold answers no delivery until Release is called, but lets none wait longer
// than patience.
func (r *Receiver) Hold(patience time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.released, r.patience = make(chan struct{}), patience
}

// Release answers what Hold has kept back, and says whether a delivery has waited
// in vain. Without Hold it does nothing.
func (r *Receiver) Release() (overdue bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.released != nil {
		close(r.released)
		r.released = nil
	}
	return r.overdue
}

// wait keeps an answer back.
func (r *Receiver) wait(ctx context.Context) {
	r.mu.Lock()
	released, patience := r.released, r.patience
	r.mu.Unlock()
	if released == nil {
		return
	}
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-released:
	case <-patient.Done():
		r.mu.Lock()
		defer r.mu.Unlock()
		r.overdue = true
	}
}

// keep notes a delivery, wakes who waits, and gives the status to answer.
func (r *Receiver) keep(d Delivery) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, d)
	close(r.news)
	r.news = make(chan struct{})
	if len(r.answer) == 0 {
		return http.StatusOK
	}
	status := r.answer[0]
	if len(r.answer) > 1 {
		r.answer = r.answer[1:]
	}
	return status
}

// Deliveries gives what has come in so far, oldest first.
func (r *Receiver) Deliveries() []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Delivery(nil), r.got...)
}

// Wait gives the deliveries as soon as there are n of them, or those that there
// are when the context ends.
func (r *Receiver) Wait(ctx context.Context, n int) []Delivery {
	for {
		r.mu.Lock()
		got, news := len(r.got), r.news
		r.mu.Unlock()
		if got >= n {
			return r.Deliveries()
		}
		select {
		case <-news:
		case <-ctx.Done():
			return r.Deliveries()
		}
	}
}

// decode reads JSON and keeps numbers as they are written.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}
