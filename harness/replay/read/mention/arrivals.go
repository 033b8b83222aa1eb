package mention

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// arrived is what servers write of a request that came with a body, and of any.
var (
	arrived = trail.Pattern(`"POST \S+ HTTP/[0-9.]+"`)
	request = trail.Pattern(`"[A-Z]{3,7} \S+ HTTP/[0-9.]+"`)
	status  = trail.Pattern(`HTTP/[0-9.]+"[ ,]+(?:"status":[ ]*"?)?([1-5][0-9]{2})\b`)
)

// MostArrivals bounds how many arrivals of a log are kept.
const MostArrivals = 2_000

// IsArrivals says whether a text is the access log of a server to which something came: most of its lines are requests, and some have
// bodies.
func IsArrivals(text []byte) bool {
	text = text[:min(len(text), 64<<10)]
	lines, requests, some := 0, 0, false
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if lines++; request().Match(line) {
			requests++
		}
		some = some || arrived().Match(line)
	}
	return some && 2*requests > lines
}

// Arrivals notes when something came to a server, by its access log: what it was such a log does not tell.
func Arrivals(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, recording.AccessLog)
	n := 0
	for line := range strings.Lines(source.UsualLines(string(f.Text()))) {
		if n++; n > mostLines || len(p.Source().Arrivals) >= MostArrivals {
			p.Skip(p.Line(n), "what came later than the first 2,000 requests of an access log")
			break
		}
		if at := timeOf(line); arrived().MatchString(line) && !at.IsZero() {
			one := recording.Arrival{At: at, Line: n}
			if found := status().FindStringSubmatch(line); found != nil {
				one.Status, _ = strconv.Atoi(found[1])
			}
			p.Source().Arrivals = append(p.Source().Arrivals, one)
		}
	}
	if len(p.Source().Arrivals) == 0 {
		return nil, &source.Error{File: f.Name, Format: recording.AccessLog, Err: errors.New("no request with a body and a time stands in it"), Expected: "lines such as those of nginx, Apache or HAProxy"}
	}
	return p, nil
}
