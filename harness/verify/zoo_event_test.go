package verify_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"paysandbox/harness/partner"
)

// eventMutants tell, sign or deliver wrongly. They stand between the service and
// the receivers.
func eventMutants() []mutant {
	return []mutant{
		{"event.company", "everybody is verified", told("Status", swaps("Rejected", "Verified"))},
		{"event.company", "nothing is told", relayed(func(d *delivery) { d.lost = true })},
		{"event.company", "another company is told", told("CompanyId", "00000000-0000-4000-8000-000000000000")},
		{"event.company.shape", "in camelCase", relayed(func(d *delivery) { d.text("CompanyId", "companyId") })},
		{"event.company.shape", "the name of the event is missing", relayed(func(d *delivery) { d.change("Event", gone{}) })},
		{"event.company.timestamp", "the moment is the day", told("Timestamp", "2026-05-06T00:00:00Z")},
		{"event.company.live", "Live is true", relayed(func(d *delivery) { d.change("Live", true) })},
		{"event.company.sandbox", "every event comes twice", relayed(func(d *delivery) { d.twice = true })},
		{"event.payment", "the amount is in dollars", told("Amount", 50)},
		{"event.payment", "Denied is told as Canceled", told("Status", swaps("Denied", "Canceled"))},
		{"event.payment.shape", "no currency", told("Currency", gone{})},
		{"event.payment.pending", "a new payment is told", foretelling},
		{"event.payment.plan", "a plan's payment is told as the plan's", told("Status", swaps("Paid", "Completed"))},
		{"event.payment.saved-card", "every charge is told as Paid", told("Status", "Paid")},
		{"event.signature", "nothing is signed", relayed(func(d *delivery) { d.header.Del("X-HMAC-Signature") })},
		{"event.signature", "the signature is of the body with a line end", relayed(func(d *delivery) { d.sign(d.secret, append(bytes.Clone(d.body), '\n')) })},
		{"event.signature", "the signature has no sha256=", relayed(func(d *delivery) {
			d.header.Set("X-HMAC-Signature", strings.TrimPrefix(d.header.Get("X-HMAC-Signature"), "sha256="))
		})},
		{"event.signature", "an old secret signs", relayed(func(d *delivery) { d.sign("an old secret", d.body) })},
		{"event.signature.none", "an empty secret signs", relayed(func(d *delivery) { d.sign("", d.body) })},
		{"event.delivery.media-type", "an event is a text", relayed(func(d *delivery) { d.header.Set("Content-Type", "text/plain") })},
		{"event.delivery.registration", "every address gets everything", asks("POST "+control+"/webhooks", func(x *exchange) { x.send("events", nil) })},
		{"event.delivery.retry", "whatever is answered is a success", relayed(func(d *delivery) { d.answer = func(int) int { return http.StatusOK } })},
		{"event.delivery.retry", "only 200 is a success", relayed(func(d *delivery) {
			d.answer = func(status int) int {
				if status != http.StatusOK {
					return http.StatusInternalServerError
				}
				return status
			}
		})},
		{"event.delivery.retry", "another body each time", relayed(func(d *delivery) { d.body = append(d.body, bytes.Repeat([]byte(" "), d.number)...) })},
		{"event.delivery.gone", "who is gone is asked again", relayed(func(d *delivery) {
			d.answer = func(status int) int {
				if status == http.StatusGone {
					return http.StatusInternalServerError
				}
				return status
			}
		})},
		{"event.delivery.after-answer", "a call is answered when its event was delivered", hasty},
		{"event.delivery.order", "what fails is told after the next", overtaking},
	}
}

// delivery is an event on its way to a receiver.
type delivery struct {
	exchange
	to, secret string
	// number counts the deliveries to the receiver, from 1.
	number      int
	lost, twice bool
	// asked are the headers by which the receiver says when, and where, it wants to be tried again.
	asked http.Header
	// answer makes what the service hears of what the receiver answers.
	answer func(status int) int
}

// sign signs with a secret what may be another body.
func (d *delivery) sign(secret string, body []byte) {
	d.header.Set("X-HMAC-Signature", partner.Signature(secret, body))
}

// text replaces text of the body.
func (d *delivery) text(old, to string) { d.body = []byte(strings.ReplaceAll(string(d.body), old, to)) }

// told puts a member of what is told to a value; the signature fits.
func told(member string, v any) kind {
	return relayed(func(d *delivery) {
		if reached(d.got("Data"), member) != nil {
			d.change("Data."+member, v)
		}
	})
}

// relay stands between the service and the receivers: it registers itself in
// their place and passes on what comes.
type relay struct {
	mu     sync.Mutex
	client http.Client
	// secrets are those of the receivers' addresses, hooks the addresses by their
	// integrations, and seen counts what came for each.
	secrets map[string]string
	hooks   map[string]string
	seen    map[string]int
}

func newRelay() *relay {
	plain := http.Client{ // which asks for no encoding, and goes nowhere else, as the service
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &relay{client: plain, secrets: map[string]string{}, hooks: map[string]string{}, seen: map[string]int{}}
}

// relayed spoils what is delivered. An event that was changed is signed anew, if
// it was signed.
func relayed(change func(d *delivery)) kind {
	return func() spoiler {
		r := newRelay()
		return func(next http.Handler, k *keeper) http.Handler {
			return r.between(next, func(w http.ResponseWriter, d *delivery) {
				before := d.said()
				body := string(d.body)
				change(d)
				if string(d.body) != body && d.header.Get("X-HMAC-Signature") != "" {
					d.sign(d.secret, d.body)
				}
				status := r.send(d)
				if d.answer != nil && d.answer(status) != status {
					status = d.answer(status)
					k.hits.Add(1)
				}
				if d.lost || d.twice || d.said() != before {
					k.hits.Add(1)
				}
				maps.Copy(w.Header(), d.asked)
				w.WriteHeader(status)
			})
		}
	}
}

// relayPath is where the relay takes deliveries.
const relayPath = "/relay"

// between puts the relay before the good server.
func (r *relay) between(next http.Handler, deliver func(w http.ResponseWriter, d *delivery)) http.Handler {
	registered := on("POST "+control+"/webhooks", r.register, nil)(next, new(keeper))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path != relayPath {
			registered.ServeHTTP(w, req)
			return
		}
		deliver(w, r.incoming(req))
	})
}

// hook is the address of the receiver that the caller has registered last.
func (r *relay) hook(x *exchange) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hooks[x.req.Header.Get("Sandbox-Integration")]
}

// register puts the relay's address in the place of the receiver's.
func (r *relay) register(x *exchange) {
	to, _ := x.member("url").(string)
	secret, _ := x.member("secret").(string)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets[to] = secret
	r.hooks[strings.Split(x.req.URL.Path, "/")[3]] = to
	x.send("url", "http://"+x.req.Host+relayPath+"?to="+url.QueryEscape(to))
}

// incoming reads a delivery.
func (r *relay) incoming(req *http.Request) *delivery {
	var raw bytes.Buffer
	_, _ = raw.ReadFrom(req.Body)
	d := &delivery{to: req.URL.Query().Get("to"), exchange: exchange{req: req, header: req.Header.Clone(), body: raw.Bytes()}}
	d.header.Del("Content-Length")
	r.mu.Lock()
	defer r.mu.Unlock()
	d.secret = r.secrets[d.to]
	r.seen[d.to]++
	d.number = r.seen[d.to]
	return d
}

// send passes a delivery on and gives the receiver's status.
func (r *relay) send(d *delivery) int {
	status := http.StatusOK
	if d.lost {
		return status
	}
	for range map[bool]int{false: 1, true: 2}[d.twice] {
		status, d.asked = r.post(d.req.Method, d.to, d.header, d.body)
	}
	return status
}

func (r *relay) post(method, to string, header http.Header, body []byte) (status int, asked http.Header) {
	req, err := http.NewRequest(method, to, bytes.NewReader(body))
	if err != nil {
		return http.StatusBadGateway, nil
	}
	req.Header = header.Clone()
	req.Header["User-Agent"] = []string{""} // the service sends none
	res, err := r.client.Do(req)
	if err != nil {
		return http.StatusBadGateway, nil
	}
	_ = res.Body.Close()
	asked = http.Header{"Date": res.Header["Date"]} // nil: a server that tells none
	for _, name := range []string{"Retry-After", "Location"} {
		if value := res.Header.Get(name); value != "" {
			asked.Set(name, value)
		}
	}
	return res.StatusCode, asked
}

// foretelling tells of payments that were only asked for.
func foretelling() spoiler {
	r := newRelay()
	return func(next http.Handler, k *keeper) http.Handler {
		made := on("POST /Payment/Create", nil, func(x *exchange) {
			to := r.hook(x)
			if !x.ok() || to == "" {
				return
			}
			body, _ := json.Marshal(map[string]any{"Live": false, "Event": "PAYMENT_STATUS_CHANGED", "Data": map[string]any{"PaymentId": x.got("paymentRequestId"), "Status": "Pending"}})
			r.post(http.MethodPost, to, http.Header{"Content-Type": {"application/json"}}, body)
			x.touched = true
		})(next, k)
		return r.between(made, func(w http.ResponseWriter, d *delivery) { w.WriteHeader(r.send(d)) })
	}
}

// hasty answers the registration of a company when its event was delivered.
func hasty() spoiler {
	r := newRelay()
	var waiting sync.Map // the end of a call's wait, by the address of its receiver
	return func(next http.Handler, k *keeper) http.Handler {
		registers := on("POST /Company/Create", func(x *exchange) {
			waiting.LoadOrStore(r.hook(x), make(chan struct{}))
		}, func(x *exchange) {
			if delivered, ok := waiting.Load(r.hook(x)); ok && x.ok() && r.hook(x) != "" {
				<-delivered.(chan struct{})
				x.touched = true
			}
		})(next, k)
		return r.between(registers, func(w http.ResponseWriter, d *delivery) {
			status := r.send(d)
			if delivered, ok := waiting.LoadAndDelete(d.to); ok && d.req.Method == http.MethodPost {
				close(delivered.(chan struct{}))
			}
			w.WriteHeader(status)
		})
	}
}

// overtaking keeps an event that the receiver refuses until the next one has
// been told.
func overtaking() spoiler {
	r := newRelay()
	var late sync.Map
	return func(next http.Handler, k *keeper) http.Handler {
		return r.between(next, func(w http.ResponseWriter, d *delivery) {
			status := r.send(d)
			if status >= http.StatusMultipleChoices {
				late.Store(d.to, d)
				k.hits.Add(1)
			} else if waiting, ok := late.LoadAndDelete(d.to); ok {
				r.send(waiting.(*delivery))
			}
			w.WriteHeader(http.StatusOK)
		})
	}
}
