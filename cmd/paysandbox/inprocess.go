package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console"
	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// inProcess carries calls to a handler of this process, without a socket.
type inProcess struct{ handler http.Handler }

var errCut = errors.New("the connection was cut before an answer came")

// RoundTrip answers a call. A handler that gives the connection up has answered nothing.
func (t inProcess) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler { //nolint:errorlint // a panic's value, compared as net/http does
				panic(p)
			}
			answer, err = nil, errCut
		}
	}()
	call := r.Clone(r.Context())
	call.RequestURI, call.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:0"
	if call.Host == "" {
		call.Host = r.URL.Host
	}
	if call.Body == nil {
		call.Body = http.NoBody
	}
	w := &written{header: http.Header{}}
	if strings.HasPrefix(r.URL.Path, console.Prefix) { // pages for people, one of which never ends; a recording may name it
		w.status = http.StatusNotFound
	} else {
		t.handler.ServeHTTP(w, call)
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return &http.Response{
		StatusCode: w.status, Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// written is what a handler has written.
type written struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *written) Header() http.Header { return w.header }

func (w *written) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *written) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

func (w *written) Flush() {}

// noCarrier sends nothing: in a replay nobody is called.
type noCarrier struct{}

func (noCarrier) Deliver(_ string, v delivery.View, done func(a tape.Attempt, retryAfter string)) {
	done(tape.Attempt{Delivery: v.ID.String(), Endpoint: v.Endpoint.String(), Event: v.EventID.String(), Number: v.Attempt, Error: "a replay sends nothing"}, "")
}

func (noCarrier) Fetch(url string, done func(tape.Fetch)) {
	done(tape.Fetch{URL: url, Error: "a replay downloads nothing"})
}

// inside is a sandbox of this process that is called without a socket.
func inside(context.Context) (*mockserver.Server, *http.Client, error) {
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{
			Name: "default", Seed: 1, Clock: integration.Manual, ClientID: defaultID, ClientSecret: defaultSecret,
			Tape: tape.Limits{Entries: 1 << 20, Bytes: 1 << 30}, // what was recorded is there whole
		},
		Carrier: noCarrier{}, Loopback: true, Version: version,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("start the sandbox: %w", err)
	}
	return server, &http.Client{Transport: inProcess{server.Handler()}}, nil
}

// Forget has nothing to end.
func (noCarrier) Forget(string) {}
