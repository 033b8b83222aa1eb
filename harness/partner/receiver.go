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
	"maps"
	"net"
	"net/http"
	"net/url"
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
	// carried are headers of every answer.
	carried http.Header
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

// Carry has every answer carry a header from now on; an empty value keeps it out of them.
func (r *Receiver) Carry(name, value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.carried == nil {
		r.carried = http.Header{}
	}
	r.carried[name] = nil
	if value != "" {
		r.carried.Set(name, value)
	}
}

// File is the address at which the receiver hands out a file that begins like a PDF.
func (r *Receiver) File() string { return r.URL + filePath }

// FileBehind is an address that leads to the file by some redirects.
func (r *Receiver) FileBehind(redirects int) string {
	return r.File() + "?" + redirectsLeft + "=" + strconv.Itoa(redirects)
}

// FileRefused is an address at which the file is refused with a status.
func (r *Receiver) FileRefused(status int) string {
	return r.File() + "?" + refusedWith + "=" + strconv.Itoa(status)
}

// FileAt is an address that leads somewhere else.
func (r *Receiver) FileAt(location string) string {
	return r.File() + "?" + leadsTo + "=" + url.QueryEscape(location)
}

// FileOf is an address at which the file has so many bytes.
func (r *Receiver) FileOf(size int) string {
	return r.File() + "?" + bytesLong + "=" + strconv.Itoa(size)
}

// filePath stands behind the receiver's address, and in its query what is to be done.
const (
	filePath      = "/agreement.pdf"
	redirectsLeft = "redirects"
	refusedWith   = "status"
	leadsTo       = "to"
	bytesLong     = "bytes"
)

// ServeHTTP takes in one delivery, or hands out the file. Anything else is a probe,
// which is answered and not kept.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, filePath) {
		r.handOut(w, req)
		return
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxEvent))
	if err != nil || req.Method != http.MethodPost {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	status := r.keep(Delivery{Header: req.Header.Clone(), Body: body})
	r.wait(req.Context())
	r.mu.Lock()
	maps.Copy(w.Header(), r.carried)
	r.mu.Unlock()
	w.WriteHeader(status)
}

// handOut gives the file, or what the address asks for in its place. Whoever says where it
// comes from is refused: that address may hold a secret.
func (r *Receiver) handOut(w http.ResponseWriter, req *http.Request) {
	asked := req.URL.Query()
	if req.Referer() != "" {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if to := asked.Get(leadsTo); to != "" {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
		return
	}
	if left, _ := strconv.Atoi(asked.Get(redirectsLeft)); left > 0 {
		http.Redirect(w, req, r.FileBehind(left-1), http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "application/pdf")
	if status, _ := strconv.Atoi(asked.Get(refusedWith)); status >= http.StatusBadRequest && status < 600 {
		w.WriteHeader(status)
		return
	}
	file := []byte("%PDF-1.4\n%%EOF\n")
	if size, err := strconv.Atoi(asked.Get(bytesLong)); err == nil && size >= 0 && size <= mostFile {
		file = append(file, make([]byte, mostFile)...)[:size]
	}
	_, _ = w.Write(file)
}

// mostFile is the longest file that can be asked for, in bytes.
const mostFile = 12 << 20

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
