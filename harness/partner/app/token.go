package app

import (
	"context"
	"net/http"
	"sync"
	"time"
)

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
