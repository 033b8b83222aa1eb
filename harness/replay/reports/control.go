package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// post makes a call of the control API.
func (s *stage) post(path, body string) ([]byte, error) {
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	address := s.control + path
	if strings.HasPrefix(path, "/") {
		address = s.base + "/_sandbox" + path
	}
	req, err := http.NewRequestWithContext(s.ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s: %d %s", path, res.StatusCode, answer)
	}
	return answer, err
}

// now is the sandbox's time.
func (s *stage) now() time.Time {
	var clock struct{ Now time.Time }
	answer, err := s.post("clock", "")
	if err == nil {
		err = json.Unmarshal(answer, &clock)
	}
	if err != nil {
		return time.Time{}
	}
	return clock.Now
}

var errLate = errors.New("it did not happen in time")

func (s *stage) until(done func() bool) error {
	ctx, cancel := context.WithTimeout(s.ctx, 10*time.Second)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			return errLate
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// quiet waits until no delivery is under way.
func (s *stage) quiet() error {
	return s.until(func() bool {
		answer, err := s.post("deliveries", "")
		return err == nil && !bytes.Contains(answer, []byte(`"in-flight`)) && !bytes.Contains(answer, []byte(`"state":"ready"`))
	})
}

// tape is what the sandbox remembers.
func (s *stage) tape() (tape.Meta, []tape.Entry, []byte, error) {
	data, err := s.post("tape", "")
	if err != nil {
		return tape.Meta{}, nil, nil, err
	}
	meta, entries, err := tape.Read(bytes.NewReader(data))
	return meta, entries, data, err
}
