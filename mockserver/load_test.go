package mockserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The load of the comparative benchmarks: raw connections from this process,
// which keeps to one core, against a server in a process of its own, which
// keeps to another.

// target is a server process under load.
type target struct {
	addr  string
	token string
	cmd   *exec.Cmd
}

// envServer tells a child of the test binary which server it is to be.
const envServer = "PAYSANDBOX_BENCH_SERVER"

// startTarget starts a server process of the kind, on one core.
func startTarget(b *testing.B, kind string) *target {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), envServer+"="+kind, "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	in, err := cmd.StdinPipe() // the child ends when this closes
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	t := &target{cmd: cmd}
	_, err = fmt.Sscanf(line, "%s %s", &t.addr, &t.token)
	require.NoError(b, err, line)
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return t
}

// request is one prepared HTTP request; the eight digits at serial, when not 0,
// are replaced before each use.
type request struct {
	raw    []byte
	serial int
}

// newRequest prepares a request. The body may hold the word bench-00000001,
// whose number is counted up.
func newRequest(t *target, method, path string, body []byte) request {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench/1.0\r\nAccept: application/json\r\n", method, path, t.addr)
	if t.token != "" && t.token != "-" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", t.token)
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	r := request{raw: b.Bytes()}
	if at := bytes.Index(r.raw, []byte("bench-00000001")); at >= 0 {
		r.serial = at + len("bench-")
	}
	return r
}

// serials numbers the companies of all loads.
var serials atomic.Int64

// conn is one connection of the load.
type conn struct {
	net.Conn
	r   *bufio.Reader
	raw []byte
	at  int
}

func dial(b *testing.B, t *target, r request) *conn {
	b.Helper()
	c, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", t.addr)
	require.NoError(b, err)
	return &conn{Conn: c, r: bufio.NewReader(c), raw: bytes.Clone(r.raw), at: r.serial}
}

var errStatus = errors.New("the server did not answer 200")

// once sends the request and reads the whole answer.
func (c *conn) once() error {
	if c.at > 0 {
		n := serials.Add(1) + 1
		for i := 7; i >= 0; i-- {
			c.raw[c.at+i] = byte('0' + n%10)
			n /= 10
		}
	}
	if _, err := c.Write(c.raw); err != nil {
		return err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, []byte("HTTP/1.1 200")) {
		rest, _ := io.ReadAll(io.LimitReader(c.r, int64(c.r.Buffered())))
		return fmt.Errorf("%w: %s%s", errStatus, line, rest)
	}
	length := 0
	for {
		line, err = c.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if v, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(v))); err != nil {
				return err
			}
		}
	}
	_, err = c.r.Discard(length)
	return err
}

// drive keeps the connections busy for a time and gives requests per second.
func drive(b *testing.B, conns []*conn, d time.Duration) float64 {
	b.Helper()
	var total atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	end := start.Add(d)
	for _, c := range conns {
		wg.Go(func() {
			n := int64(0)
			for time.Now().Before(end) {
				if err := c.once(); err != nil {
					b.Error(err)
					return
				}
				n++
			}
			total.Add(n)
		})
	}
	wg.Wait()
	return float64(total.Load()) / time.Since(start).Seconds()
}

// pace sends at a fixed rate for a time and gives the latencies, counted from
// when each request was to be sent, sorted.
func pace(b *testing.B, conns []*conn, rate float64, d time.Duration) []time.Duration {
	b.Helper()
	gap := time.Duration(float64(time.Second) / rate * float64(len(conns)))
	results := make([][]time.Duration, len(conns))
	var wg sync.WaitGroup
	start := time.Now().Add(10 * time.Millisecond)
	for i, c := range conns {
		wg.Go(func() {
			due := start.Add(gap * time.Duration(i) / time.Duration(len(conns)))
			for ; due.Before(start.Add(d)); due = due.Add(gap) {
				for time.Now().Before(due) {
					runtime.Gosched()
				}
				if err := c.once(); err != nil {
					b.Error(err)
					return
				}
				results[i] = append(results[i], time.Since(due))
			}
		})
	}
	wg.Wait()
	all := slices.Concat(results...)
	slices.Sort(all)
	return all
}

// open makes the load's connections to a target for one request.
func open(b *testing.B, t *target, r request) []*conn {
	b.Helper()
	conns := make([]*conn, connections)
	for i := range conns {
		conns[i] = dial(b, t, r)
		b.Cleanup(func() { _ = conns[i].Close() })
	}
	return conns
}

// median of figures; the list is sorted in place.
func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// compare drives two sets of connections in turn and gives the median rates and
// the median of the ratios a/b, round by round.
func compare(b *testing.B, a, other []*conn, rounds int, d time.Duration) (rateA, rateB, ratio float64) {
	b.Helper()
	drive(b, a, d/2)
	drive(b, other, d/2)
	var as, bs, ratios []float64
	for range rounds {
		x, y := drive(b, a, d), drive(b, other, d)
		as, bs, ratios = append(as, x), append(bs, y), append(ratios, x/y)
	}
	return median(as), median(bs), median(ratios)
}

// bareServer answers without routing, JWT, tape or metrics: what any handler
// costs.
func bareServer(kind string) http.Handler {
	var mu sync.Mutex
	companies := map[string]*bareCompany{}
	write := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	switch kind {
	case "bare-create":
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := &bareCompany{}
			if err := json.NewDecoder(r.Body).Decode(c); err != nil || c.CompanyReferenceID == "" || c.Name == "" || c.Owner.SSN == "" {
				http.Error(w, "bad company", http.StatusBadRequest)
				return
			}
			mu.Lock()
			companies[c.CompanyReferenceID] = c
			mu.Unlock()
			write(w, map[string]any{"companyId": newUUID(), "locationIds": []string{newUUID()}})
		})
	case "bare-status":
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			write(w, struct {
				Status string `json:"status"`
			}{"Verified"})
		})
	case "bare-locations":
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { write(w, bareLocations()) })
	default:
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var c struct{ ClientID, ClientSecret string }
			if err := json.NewDecoder(r.Body).Decode(&c); err != nil || c.ClientID == "" {
				http.Error(w, "bad token request", http.StatusBadRequest)
				return
			}
			write(w, map[string]any{"accessToken": bareToken, "tokenType": "Bearer", "expiresInSeconds": 3600})
		})
	}
}

// driveCount sends a number of requests and gives requests per second.
func driveCount(b *testing.B, conns []*conn, n int) float64 {
	b.Helper()
	var wg sync.WaitGroup
	start := time.Now()
	for _, c := range conns {
		wg.Go(func() {
			for range n / len(conns) {
				if err := c.once(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(start).Seconds()
}
