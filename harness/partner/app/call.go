package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 32 << 20

// object is a JSON object; it is always written with its members in the same
// order.
type object = map[string]any

// request is one call, however often it is made.
type request struct {
	method, path string
	query        url.Values
	body         object
	// key is the idempotency key. A call with a key moves money.
	key string
	// open calls need no token.
	open bool
	// once makes it a single time: whoever calls will come again later.
	once bool
}

// answer is what one attempt came to.
type answer struct {
	status int
	header http.Header
	body   []byte
	// token is the one that the attempt was made with.
	token string
}

// refusal is an answer of 4xx: the service has understood, and says no.
type refusal struct {
	call   string
	status int
	detail string
}

// Error tells the call and what the service said.
func (r *refusal) Error() string {
	return fmt.Sprintf("%s was refused with %d: %s", r.call, r.status, r.detail)
}

// Refused says whether an error is the service's no, with one of the statuses if
// any are named.
func Refused(err error, statuses ...int) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	for _, s := range statuses {
		if r.status == s {
			return true
		}
	}
	return len(statuses) == 0
}

// errUnavailable is wrapped when the service could not be reached, or answered
// only with trouble, in all attempts.
var errUnavailable = errors.New("the service is not available")

// errLost is wrapped when no answer came: the call may have been carried out.
var errLost = errors.New("the answer was lost")

// call makes a call until it has an outcome: an answer, which is read into into,
// a refusal, or errUnavailable.
func (a *App) call(ctx context.Context, r request, into any) error {
	renewals := 0
	for try := 1; ; try++ {
		got, err := a.attempt(ctx, r)
		switch {
		case errors.Is(err, errUnavailable) || Refused(err): // no token
			return err
		case err == nil && got.status < http.StatusMultipleChoices:
			return read(got.body, into)
		case err == nil && got.status == http.StatusUnauthorized && !r.open:
			a.forget(got.token)
			if renewals < a.policy.renewals {
				renewals++
				try--
				continue
			}
		}
		pause, again := a.pauseAfter(got, err, try, r)
		if !again {
			return failure(r, got, err)
		}
		if err := a.o.Sleep(ctx, pause); err != nil {
			return err
		}
		if done, err := a.policy.repeat(ctx, &r, err, into); done {
			return err
		}
	}
}

// failure is how a call ends that nothing repeats.
func failure(r request, got answer, err error) error {
	call := r.method + " " + r.path
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w: %w: %w", call, errUnavailable, errLost, err)
	case got.status >= http.StatusInternalServerError || got.status == http.StatusTooManyRequests:
		return fmt.Errorf("%s: %w: it answered %d", call, errUnavailable, got.status)
	default:
		return &refusal{call: call, status: got.status, detail: detail(got.body)}
	}
}

// detail is the service's own word for a refusal.
func detail(body []byte) string {
	var problem struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(body, &problem) != nil || problem.Detail == "" {
		return string(body[:min(len(body), 200)])
	}
	return problem.Detail
}

// attempt makes the call once. An error means that no whole answer came.
func (a *App) attempt(ctx context.Context, r request) (answer, error) {
	var got answer
	if !r.open {
		var err error
		if got.token, err = a.token(ctx); err != nil {
			return got, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, a.o.Timeout)
	defer cancel()
	req, err := a.newRequest(ctx, r, got.token)
	if err != nil {
		return got, err
	}
	res, err := a.o.HTTP.Do(req)
	if err != nil {
		return got, err
	}
	defer func() { _ = res.Body.Close() }()
	got.status, got.header = res.StatusCode, res.Header
	got.body, err = io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	return got, err
}

// read decodes a body; an empty one leaves into as it is.
func read(body []byte, into any) error {
	if into == nil || len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// userAgent names product and version with every call.
const userAgent = "paysandbox-example/1.0"

// newRequest writes the request with its headers.
func (a *App) newRequest(ctx context.Context, r request, token string) (*http.Request, error) {
	var raw []byte
	if r.body != nil {
		var err error
		if raw, err = json.Marshal(r.body); err != nil {
			return nil, err
		}
	}
	address := a.o.BaseURL + r.path
	if query := r.query.Encode(); query != "" { // nothing secret or personal: addresses are logged everywhere
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	// A kept connection that breaks is repeated by net/http itself, at once and
	// unseen. When a call is repeated is decided in this package.
	req.Close = true
	req.Header.Set("Accept", "application/json")
	if raw != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if r.key != "" && a.o.Keys {
		req.Header.Set("Idempotency-Key", r.key)
	}
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

// tokens keeps the access token.
type tokens struct {
	mu    sync.Mutex
	value string
	until time.Time
}

// refreshAhead is how long before its end a token is replaced; a quarter of its
// life where that is less.
const refreshAhead = time.Minute

// token gives a token that is good for a while, fetching one if need be.
func (a *App) token(ctx context.Context) (string, error) {
	if value, good := a.keptToken(); good {
		return value, nil
	}
	a.policy.turn.Lock()
	defer a.policy.turn.Unlock()
	if value, good := a.keptToken(); good {
		return value, nil // somebody else has fetched it meanwhile
	}
	value, until, err := a.fetchToken(ctx)
	if err == nil {
		a.keepToken(value, until)
	}
	return value, err
}

func (a *App) keptToken() (value string, good bool) {
	a.tokens.mu.Lock()
	defer a.tokens.mu.Unlock()
	return a.tokens.value, a.tokens.value != "" && a.Now().Before(a.tokens.until)
}

func (a *App) keepToken(value string, until time.Time) {
	a.tokens.mu.Lock()
	defer a.tokens.mu.Unlock()
	a.tokens.value, a.tokens.until = value, until
}

// forget drops a token that was refused, unless another call has replaced it by
// now.
func (a *App) forget(refused string) {
	a.tokens.mu.Lock()
	defer a.tokens.mu.Unlock()
	if a.tokens.value == refused {
		a.tokens.value = ""
	}
}

// fetchToken asks for a token, and says until when to use it.
func (a *App) fetchToken(ctx context.Context) (string, time.Time, error) {
	var got struct {
		AccessToken      string `json:"accessToken"`
		ExpiresInSeconds int64  `json:"expiresInSeconds"`
	}
	asked := a.Now()
	err := a.call(ctx, request{method: http.MethodPost, path: "/Authentication/Token", open: true, body: object{
		"clientId": a.o.ClientID, "clientSecret": a.o.ClientSecret,
	}}, &got)
	return got.AccessToken, a.policy.useUntil(asked, time.Duration(got.ExpiresInSeconds)*time.Second), err
}

// useUntil replaces a token a while before its end.
func useUntil(asked time.Time, life time.Duration) time.Time {
	return asked.Add(life - min(refreshAhead, life/4))
}

// Now is the time by which tokens expire: the clock's, moved on where a test
// suite has moved the service's.
func (a *App) Now() time.Time { return a.o.Now().Add(time.Duration(a.ahead.Load())) }
