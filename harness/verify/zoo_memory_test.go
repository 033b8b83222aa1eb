package verify_test

import (
	"encoding/json"
	"net/http"
	"sync"
)

// number reads a number of decoded JSON.
func number(v any) int64 {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

// rounded is a number as a floating-point number would keep it.
func rounded(v any) any {
	n, _ := v.(json.Number)
	f, err := n.Float64()
	if err != nil {
		return v
	}
	if f >= 1<<63 {
		return json.Number("9223372036854775808")
	}
	return int64(f)
}

// remembering is a kind with a memory: both functions are called under its lock.
func remembering(make func() (patterns string, ask, answer func(x *exchange))) kind {
	return func() spoiler {
		var mu sync.Mutex
		locked := func(f func(x *exchange)) func(x *exchange) {
			if f == nil {
				return nil
			}
			return func(x *exchange) {
				mu.Lock()
				defer mu.Unlock()
				f(x)
			}
		}
		patterns, ask, answer := make()
		return on(patterns, locked(ask), locked(answer))
	}
}

// limited refuses every call after the nth.
func limited(patterns string, n int) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		calls := 0
		return patterns, nil, func(x *exchange) {
			if calls++; calls > n {
				x.refuse(http.StatusTooManyRequests, "$", "limit.rate")
			}
		}
	})
}

// tattles keeps the bodies of calls on the tape as they were sent, secrets and
// all.
func tattles(path string) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		var sent []string
		return "POST " + path + ", GET " + control + "/tape", nil, func(x *exchange) {
			if x.req.Method == http.MethodPost {
				sent = append(sent, string(x.asked))
				return
			}
			for _, body := range sent {
				x.editTape(func(e map[string]any) bool {
					if reached(e, "exchange.path") == path {
						put(e, []string{"exchange", "request", "body"}, body)
					}
					return true
				})
			}
		}
	})
}
