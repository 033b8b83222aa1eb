package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/tape"
)

// exchange is a call as the proxy saw it.
type exchange struct {
	method, target string
	header         []tape.Header
	body           []byte
	at             time.Time // the service's time
	status         int       // 0: lost
	answerHeader   []tape.Header
	answer         []byte
}

// proxy stands between the partner's tool and the sandbox.
type proxy struct {
	upstream string
	address  string
	server   *http.Server

	mu    sync.Mutex
	next  *tampering
	calls []exchange
}

func startProxy(ctx context.Context, upstream string) (*proxy, error) {
	p := &proxy{upstream: upstream}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p.address = l.Addr().String()
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = p.server.Serve(l) }()
	return p, nil
}

// ServeHTTP passes a call on.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/page" {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>shop</title>")
		return
	}
	control := strings.HasPrefix(r.URL.Path, "/_sandbox")
	body, _ := io.ReadAll(r.Body)
	x, answer, err := p.forward(r, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	var t *tampering
	if !control {
		p.mu.Lock()
		t, p.next = p.next, nil
		p.mu.Unlock()
	}
	lost := t.apply(&x, answer)
	if !control && r.Header.Get("Sec-Fetch-Dest") != "document" && r.URL.Path != "/favicon.ico" {
		p.mu.Lock()
		p.calls = append(p.calls, x)
		p.mu.Unlock()
	}
	if lost {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_ = c.Close()
		}
		return
	}
	for _, h := range x.answerHeader {
		w.Header().Add(h.Name, h.Value)
	}
	w.WriteHeader(x.status)
	_, _ = w.Write(x.answer)
}

// forward makes the call, and gives it with the answer's headers.
func (p *proxy) forward(r *http.Request, body []byte) (exchange, http.Header, error) {
	req, err := http.NewRequestWithContext(r.Context(), r.Method, p.upstream+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return exchange{}, nil, err
	}
	req.Header, req.Host = r.Header.Clone(), r.Host
	req.Header.Del("Accept-Encoding")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return exchange{}, nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	x := exchange{method: r.Method, target: r.URL.RequestURI(), header: sorted(r.Header), body: body, status: res.StatusCode, answer: answer}
	x.at, _ = time.Parse(time.RFC3339, res.Header.Get("Sandbox-Time"))
	return x, res.Header, err
}

// sorted are headers by name, without those that only a sandbox has.
func sorted(h http.Header) []tape.Header {
	var b bytes.Buffer
	_ = h.WriteSubset(&b, nil)
	var list []tape.Header
	for line := range strings.SplitSeq(b.String(), "\r\n") {
		name, value, ok := strings.Cut(line, ": ")
		if ok && !strings.HasPrefix(name, "Sandbox-") && name != "Content-Length" {
			list = append(list, tape.Header{Name: name, Value: value})
		}
	}
	return list
}

// apply changes the answer, and says whether it is lost.
func (t *tampering) apply(x *exchange, header http.Header) (lost bool) {
	x.answerHeader = sorted(header)
	switch {
	case t == nil:
		return false
	case t.Lost:
		x.status, x.answerHeader, x.answer = 0, nil, nil
		return true
	case t.HTML != "":
		x.status, x.answer = t.Status, []byte(t.HTML)
		x.answerHeader = []tape.Header{{Name: "Content-Type", Value: "text/html"}, {Name: "Server", Value: "edge"}}
		return false
	case t.Status > 0:
		x.status = t.Status
	}
	var object map[string]any
	if json.Unmarshal(x.answer, &object) == nil && len(t.Set)+len(t.Drop) > 0 {
		for name, value := range t.Set {
			object[name] = value
		}
		for _, name := range t.Drop {
			delete(object, name)
		}
		x.answer, _ = json.Marshal(object)
	}
	return false
}

// hook is a webhook as the receiver took it.
type hook struct {
	at     time.Time
	path   string
	header []tape.Header
	body   []byte
}

// receiver is the partner's endpoint.
type receiver struct {
	address string
	mu      sync.Mutex
	now     func() time.Time
	hooks   []hook
}

func startReceiver(ctx context.Context) (*receiver, error) {
	r := &receiver{now: func() time.Time { return time.Time{} }}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r.address = fmt.Sprintf("http://%s/hooks", l.Addr())
	server := &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	return r, nil
}

// ServeHTTP takes a webhook, whatever it is: what the careless partner does.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	if req.Method != http.MethodPost {
		return
	}
	r.mu.Lock()
	r.hooks = append(r.hooks, hook{at: r.now(), path: req.URL.Path, header: sorted(req.Header), body: body})
	r.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.hooks)
}
