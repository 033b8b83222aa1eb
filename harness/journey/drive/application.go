package drive

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"
)

// now is the virtual time; the beginning of time when the sandbox does not say.
func (sc *scene) now() time.Time {
	a, err := sc.stage.Get(context.Background(), "/clock")
	if err != nil {
		return time.Time{}
	}
	var clock struct {
		Now time.Time `json:"now"`
	}
	_ = a.Read(&clock)
	return clock.Now
}

// sleep moves the virtual clock.
func (sc *scene) sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	_, err := sc.stage.Do(ctx, "/clock/advance", map[string]string{"by": d.String()})
	return err
}

// visit opens an address as a payer's browser.
func (sc *scene) visit(ctx context.Context, address string) (int, error) {
	status, _, err := sc.get(ctx, address)
	return status, err
}

// probe asks the application what it has handed over.
func (sc *scene) probe(ctx context.Context) ([]byte, error) {
	status, body, err := sc.get(ctx, sc.app.StateURL())
	if err != nil || status != http.StatusOK {
		return nil, err
	}
	return body, nil
}

// most bounds what is read of an answer, in bytes.
const most = 1 << 20

func (sc *scene) get(ctx context.Context, address string) (int, []byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0, nil, err
	}
	res, err := sc.driver.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, most))
	return res.StatusCode, body, err
}
