package source

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/recording"
)

// layouts are the forms of times that tools write.
var layouts = []string{
	time.RFC3339Nano,                  // Chrome, Firefox, Fiddler (seven decimals), Charles
	"2006-01-02T15:04:05.999999-0700", // Java's offset without a colon
	"2006-01-02T15:04:05.999999",      // no zone: taken as UTC
	"2006-01-02 15:04:05.999999Z07:00",
	"2006-01-02 15:04:05.999999Z07",   // PostgreSQL's
	"2006-01-02 15:04:05.999999-0700", // Powertools of AWS
	"2006-01-02 15:04:05.999999 -0700",
	"2006-01-02 15:04:05.999999 Z07:00", // Serilog's
	"2006-01-02 15:04:05.999999",
	"01/02/2006 03:04:05 PM", // American sheets
	"1/2/2006, 3:04:05 PM",   // and their browsers
	http.TimeFormat,
	time.RFC1123Z,
	"Jan 2, 2006 @ 15:04:05.999999999", // Kibana
}

// Time reads a time, zero when it cannot be read. A comma may stand for the decimal
// point. A zone that is not said is UTC.
func Time(text string) time.Time {
	text = strings.TrimSpace(text)
	if len(text) > 64 {
		return time.Time{}
	}
	if len(text) > 20 && text[19] == ',' {
		text = text[:19] + "." + text[20:]
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return inRange(t)
		}
	}
	return time.Time{}
}

// Unix reads a number of seconds, milliseconds, microseconds or nanoseconds since
// 1970: which of them follows from its size.
func Unix(n float64) time.Time {
	scale := 1e9
	for _, limit := range []float64{1e11, 1e14, 1e17} {
		if n >= limit {
			scale /= 1e3
		}
	}
	if n <= 0 || n >= 1e19 {
		return time.Time{}
	}
	return inRange(time.Unix(int64(n*scale/1e9), int64(n*scale)%1e9))
}

// inRange is a time of which differences can be taken.
func inRange(t time.Time) time.Time {
	if t.Year() < 1990 || t.Year() > 2200 {
		return time.Time{}
	}
	return t.UTC()
}

// Milliseconds is a duration of so many, 0 when the number is none: tools write -1.
func Milliseconds(n float64) time.Duration {
	if n > 0 && n < 1e10 {
		return time.Duration(n * float64(time.Millisecond))
	}
	return 0
}

// Moment is when the service says that it answered, in whole seconds: by the answer's Date, but for a kept copy of
// one, which has an Age; or by a token that says when it ends, and its answer how long it is good. Zero when it does not.
func Moment(x *recording.Exchange) time.Time {
	if x.Answer.Known == recording.NeverArrived || Header(x.Answer.Header, "Age") != "" {
		return time.Time{}
	}
	if date := Time(Header(x.Answer.Header, "Date")); !date.IsZero() {
		return date
	}
	var granted struct {
		Token string  `json:"accessToken"`
		For   float64 `json:"expiresInSeconds"`
	}
	if !strings.Contains(string(x.Answer.Body), "ccessToken") || json.Unmarshal(x.Answer.Body, &granted) != nil || granted.For <= 0 {
		return time.Time{}
	}
	parts := strings.Split(granted.Token, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	var claims struct {
		Ends float64 `json:"exp"`
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(raw, &claims) != nil {
		return time.Time{}
	}
	return Unix(claims.Ends - granted.For)
}

// OldestFirst turns a log round that begins with the newest, as searches show it. A row without
// a time goes with those beside it; programs write a few lines later than they say.
func OldestFirst[T any](rows []T, when func(T) time.Time) {
	var last time.Time
	back, on := 0, 0
	for _, row := range rows {
		at := when(row)
		switch {
		case at.IsZero():
			continue
		case at.Before(last):
			back++
		case at.After(last) && !last.IsZero():
			on++
		}
		last = at
	}
	if back > 4*on {
		slices.Reverse(rows)
	}
}
