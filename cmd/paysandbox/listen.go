package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/cmd/paysandbox/traffic"
	"paysandbox/harness/trail/told"
)

const (
	// forwardFor is how long the receiver may take to answer.
	forwardFor = 30 * time.Second
	// maxEvent bounds an event and its answer, in bytes.
	maxEvent = 1 << 20
)

// listenFlags say where the events of a running sandbox go.
type listenFlags struct {
	controlFlags
	forwardTo, secret, profile string
}

// newListen relays the events of a running sandbox.
func newListen(env lookup) *cobra.Command {
	var f listenFlags
	cmd := &cobra.Command{
		Use: "listen --forward-to URL", Short: "Relay the events of a running sandbox to a receiver",
		Long: "Register a webhook address in a running sandbox, pass every delivery on to the receiver with the very bytes and\n" +
			"headers, give its answer back, and tell both in a line. When it ends, the address is taken out again.",
		Example: "  paysandbox listen --forward-to http://127.0.0.1:3000/hooks\n  paysandbox listen --forward-to http://127.0.0.1:3000 --profile reorder",
		Args:    noArgs,
		RunE: withEnvironment(env, func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout())
		}),
	}
	f.declare(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.forwardTo, "forward-to", "", "address of the receiver")
	fs.StringVar(&f.secret, "webhook-secret", "", "secret that signs the events (default: the integration's)")
	fs.StringVar(&f.profile, "profile", "", "deliver badly on purpose, for example duplicate,reorder")
	return cmd
}

func (f *listenFlags) run(ctx context.Context, stdout io.Writer) error {
	if to, err := url.Parse(f.forwardTo); err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return badUsage("for example --forward-to http://127.0.0.1:3000/hooks", "--forward-to: %q is not an address of a receiver", f.forwardTo)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	relay := &relay{to: f.forwardTo, client: &http.Client{Timeout: forwardFor}, out: textFor(stdout, nil)}
	server := &http.Server{Handler: relay, ReadHeaderTimeout: forwardFor}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() { _, _ = server.Close(), <-served }()
	endpoint, err := f.register(ctx, "http://"+listener.Addr().String())
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "events go to %s, signed with %s; Ctrl-C ends it\n", f.forwardTo, told.Clean(endpoint.Secret))
	for f.stays(ctx, endpoint, stdout) {
		if endpoint, err = f.register(ctx, "http://"+listener.Addr().String()); err != nil {
			continue // it has just gone again
		}
		_, _ = fmt.Fprintf(stdout, "the sandbox was started again, or was reset: events go to %s again, signed with %s\n", f.forwardTo, told.Clean(endpoint.Secret))
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), forwardFor)
	defer cancel()
	if _, err := f.call(last, http.MethodDelete, "/webhooks/"+endpoint.ID, nil); err != nil {
		return fmt.Errorf("take the address out again: %w", err)
	}
	return nil
}

// stays waits until the sandbox answers and no longer knows the endpoint; false when the
// context ends before. A sandbox that does not answer is told once, and that it is back.
func (f *listenFlags) stays(ctx context.Context, endpoint registered, stdout io.Writer) bool {
	look := time.NewTicker(lookFor)
	defer look.Stop()
	for away := false; ; {
		select {
		case <-ctx.Done():
			return false
		case <-look.C:
		}
		var list struct{ Webhooks []registered }
		raw, err := f.call(ctx, http.MethodGet, "/webhooks", nil)
		if err == nil {
			err = json.Unmarshal(raw, &list)
		}
		at := slices.IndexFunc(list.Webhooks, func(r registered) bool { return r.ID == endpoint.ID })
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil && !away:
			away = true
			tellLines(stdout, "  ", fmt.Sprintf("not live since %s: %v; waiting for it to come back", time.Now().Format(time.TimeOnly), err))
		case err != nil: // it may come back
		case at < 0:
			return true
		case away:
			away = false
			tellLines(stdout, "  ", "live again: "+waitFor(list.Webhooks[at].Pending)+" to be delivered")
		}
	}
}

// waitFor counts events.
func waitFor(n int) string {
	switch n {
	case 0:
		return "no event waits"
	case 1:
		return "1 event waits"
	default:
		return strconv.Itoa(n) + " events wait"
	}
}

// lookFor is how often it is looked whether the sandbox still knows the endpoint.
const lookFor = 2 * time.Second

// registered is a webhook endpoint, as far as it matters here.
type registered struct {
	ID, Secret string
	// Pending is how many events have not reached it yet.
	Pending int
}

// register makes an endpoint of the sandbox.
func (f *listenFlags) register(ctx context.Context, address string) (registered, error) {
	body := map[string]string{"url": address}
	for name, value := range map[string]string{"secret": f.secret, "profile": f.profile} {
		if value != "" {
			body[name] = value
		}
	}
	var made registered
	raw, err := f.call(ctx, http.MethodPost, "/webhooks", body)
	if err == nil {
		err = json.Unmarshal(raw, &made)
	}
	return made, err
}

// relay passes deliveries on.
type relay struct {
	to     string
	client *http.Client
	out    *traffic.Text
	mu     sync.Mutex
	seen   uint64
}

// ServeHTTP passes a delivery on, gives the answer back, and tells both. The probe
// of the address is passed on, too, but not told.
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxEvent))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	begun := time.Now()
	answer, status, err := r.pass(req, body, w.Header())
	if err != nil {
		status = http.StatusBadGateway
		if req.Context().Err() != nil {
			err = fmt.Errorf("the sandbox waited %s, and no longer", time.Since(begun).Round(time.Second))
		}
	}
	if req.Header.Get("Sandbox-Delivery") != "" {
		r.tell(body, status, time.Since(begun), err)
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// pass calls the receiver with the bytes and headers of a delivery.
func (r *relay) pass(req *http.Request, body []byte, headers http.Header) (answer []byte, status int, err error) {
	out, err := http.NewRequestWithContext(req.Context(), req.Method, r.to, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	out.Header = req.Header.Clone()
	out.Header.Del("Connection")
	res, err := r.client.Do(out)
	if err != nil {
		for why := err; why != nil; why = errors.Unwrap(why) {
			err = why // the innermost says it in the fewest words
		}
		return nil, 0, err
	}
	defer func() { _ = res.Body.Close() }()
	for _, name := range []string{"Content-Type", "Retry-After"} {
		if v := res.Header.Get(name); v != "" {
			headers.Set(name, v)
		}
	}
	answer, err = io.ReadAll(io.LimitReader(res.Body, maxEvent))
	return answer, res.StatusCode, err
}

// tell prints, for example: 14:02:11 #3 ◂ PAYMENT_STATUS_CHANGED Paid 200 in 12ms,
// and what it is about.
func (r *relay) tell(body []byte, status int, took time.Duration, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
	l := told.Line{At: time.Now(), Seq: r.seen, Mark: "◂", Text: told.EventName(body) + " " + strconv.Itoa(status), Outcome: told.Good}
	if status < 200 || status > 299 {
		l.Outcome = told.Bad
	}
	l.Note = strings.TrimSpace("in " + took.Round(time.Millisecond).String() + " " + told.EventEntity(body))
	if err != nil {
		l.Text, l.Note = told.EventName(body)+" no answer", strings.TrimSpace(err.Error()+" "+told.EventEntity(body))
	}
	r.out.Line("", &l)
}
