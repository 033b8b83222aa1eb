package mockserver

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	metric "github.com/VictoriaMetrics/metrics"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
)

// metrics counts what the sandbox does, and tells it as Prometheus reads it.
type metrics struct {
	registry *integration.Registry
	// keeper is nil where nothing is kept.
	keeper *keeper
	// requests and latency are series of one name each.
	requests, latency *metric.Set
	// series are the counters in use, by outcome: looking them up by their
	// labels costs more than counting.
	series sync.Map
}

// outcome is an operation and the status that it answered.
type outcome struct {
	operation string
	status    int
}

// counters are what one outcome counts on.
type counters struct {
	requests *metric.Counter
	latency  *metric.PrometheusHistogram
}

// seconds bound the buckets of the latency.
var seconds = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5}

func newMetrics(r *integration.Registry) *metrics {
	return &metrics{registry: r, requests: metric.NewSet(), latency: metric.NewSet()}
}

// observe counts one answered request. Operations are the ids of the route
// table, or "none", so that strangers cannot make new series.
func (m *metrics) observe(operation string, status int, took time.Duration) {
	if operation == "" {
		operation = "none"
	}
	key := outcome{operation, status}
	known, ok := m.series.Load(key)
	if !ok {
		known, _ = m.series.LoadOrStore(key, counters{
			m.requests.GetOrCreateCounter(fmt.Sprintf("paysandbox_requests_total{operation=%q,status=%q}", operation, statusLabel(status))),
			m.latency.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("paysandbox_request_seconds{operation=%q}", operation), seconds),
		})
	}
	if c, ok := known.(counters); ok {
		c.requests.Inc()
		c.latency.Update(took.Seconds())
	}
}

// ServeHTTP tells all figures, those of the Go runtime and of the process included.
func (m *metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var out bytes.Buffer
	about := func(name, kind, help string) {
		fmt.Fprintf(&out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	}
	figure := func(name, kind, help string, value float64) {
		about(name, kind, help)
		metric.WriteGaugeFloat64(&out, name, value)
	}
	about("paysandbox_requests_total", "counter", "Requests to the partner API by operation and HTTP status.")
	m.requests.WritePrometheus(&out)
	about("paysandbox_request_seconds", "histogram", "Time to answer a request to the partner API, in seconds.")
	m.latency.WritePrometheus(&out)
	m.sizes(figure)
	if m.keeper != nil {
		m.log(figure)
	}
	metric.WriteProcessMetrics(&out)
	_, _ = w.Write(out.Bytes())
}

// statusLabel is the status as a label; a connection that a fault has cut had
// none.
func statusLabel(status int) string {
	switch status {
	case 0:
		return "cut"
	case http.StatusOK:
		return "200"
	default:
		return strconv.Itoa(status)
	}
}

// figure tells one figure: its name, whether it is a gauge or a counter, and what it is.
type figure = func(name, kind, help string, value float64)

// sizes adds up all integrations.
func (m *metrics) sizes(tell figure) {
	var entries, entities int
	var size int64
	list := m.registry.List()
	for _, i := range list {
		n, b, e := i.Size()
		entries, size, entities = entries+n, size+b, entities+e
	}
	files, onDisk := m.registry.Budget().Files()
	tell("paysandbox_disk_bytes", "gauge", "Bytes of the attachments that are on the disk.", float64(onDisk))
	tell("paysandbox_disk_files", "gauge", "Attachments that are on the disk.", float64(files))
	tell("paysandbox_entities", "gauge", "Companies, payers, payments and other things that the worlds keep.", float64(entities))
	tell("paysandbox_integrations", "gauge", "Integrations that exist.", float64(len(list)))
	tell("paysandbox_tape_bytes", "gauge", "Bytes of the entries on the tapes of all integrations.", float64(size))
	tell("paysandbox_tape_entries", "gauge", "Entries on the tapes of all integrations.", float64(entries))
}

// log asks how the log of inputs stands; while it cannot be reached only that is told, and
// what was compared.
func (m *metrics) log(tell figure) {
	compared, differed := m.keeper.runner.Compared()
	tell("paysandbox_states_compared_total", "counter", "How often another sandbox on the log has told what it has come to, and that was held against this one's state.", float64(compared))
	tell("paysandbox_states_differed_total", "counter", "How often that was another state: one of the two sandboxes is wrong.", float64(differed))
	s, err := m.keeper.status(m.keeper.ctx)
	up := 1.
	if err != nil {
		up = 0
	}
	tell("paysandbox_log_up", "gauge", "1 when inputs are taken and applied, 0 when the log is broken or cannot be reached.", up)
	if err != nil {
		return
	}
	tell("paysandbox_log_position", "gauge", "The last message of the log that was applied.", float64(s.Position))
	tell("paysandbox_log_lag", "gauge", "Messages of the log that are to be applied.", float64(s.Lag))
	tell("paysandbox_integrations_awake", "gauge", "Integrations in memory.", float64(s.Awake))
	tell("paysandbox_integrations_sleeping", "gauge", "Integrations that are out of memory until their next request or timer.", float64(s.Sleeping))
	if s.SnapshotAge != nil {
		tell("paysandbox_snapshot_age_seconds", "gauge", "How long ago the newest snapshot was written.", float64(*s.SnapshotAge))
	}
}

// status is how the log stands, or why no inputs are taken.
func (k *keeper) status(ctx context.Context) (*control.Kept, error) {
	s, err := k.runner.Status(ctx)
	if err != nil {
		return nil, unkept(err)
	}
	all, sleeping := len(k.server.registry.List()), k.server.registry.Sleeping()
	kept := &control.Kept{Position: s.Position, Lag: s.Last - s.Position, SnapshotPosition: s.Snapshot, Awake: all - sleeping, Sleeping: sleeping, OtherBuild: k.other}
	if s.Snapshot > 0 {
		kept.SnapshotAge = new(int64(max(0, k.server.opts.Wall().Sub(s.SnapshotAt)) / time.Second))
	}
	return kept, nil
}
