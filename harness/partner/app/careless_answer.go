package app

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
)

// How careless applications take answers.

func withoutRetryAfter(_ *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err == nil {
			res.Header.Del("Retry-After")
		}
		return res, err
	}
}

// refusedAgain is what a careless caller thinks of refusals: all but 401, and those
// of a cancellation, might be different the next time.
func refusedAgain(a *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || res.StatusCode < 400 || res.StatusCode >= 500 || r.Method == http.MethodPut ||
			res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusTooManyRequests {
			return res, err
		}
		_ = res.Body.Close()
		if err := a.o.Sleep(r.Context(), firstPause); err != nil {
			return nil, err
		}
		again := r.Clone(r.Context())
		if again.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
		return careful(again)
	}
}

// firstPageOnly does not want to know that there is more.
func firstPageOnly(_ *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/Transaction/Report") {
			return res, err
		}
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		res.Body = io.NopCloser(bytes.NewReader(bytes.Replace(raw, []byte(`"hasMore":true`), []byte(`"hasMore":false`), 1)))
		return res, err
	}
}

// printsTokens tells everybody who reads along.
func printsTokens(a *App, careful trip) trip {
	return func(r *http.Request) (*http.Response, error) {
		res, err := careful(r)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/Authentication/Token") {
			return res, err
		}
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
		a.o.Say("a token for " + a.o.ClientSecret + ": " + string(raw))
		res.Body = io.NopCloser(bytes.NewReader(raw))
		return res, err
	}
}

// repeatAsNew makes a call whose answer was lost another one: nothing tells that it
// was tried before.
func (a *App) repeatAsNew(_ context.Context, r *request, lost error, _ any) (bool, error) {
	if r.key != "" && lost != nil {
		r.key = a.chance.id()
		if _, has := r.body["reference"]; has {
			r.body = fill(object{"reference": a.newReference()}, r.body)
		}
	}
	return false, nil
}
