package mockserver

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"paysandbox/mockserver/control"
	"paysandbox/mockserver/integration"
)

// metrics counts what the sandbox does, for Prometheus.
type metrics struct {
	http.Handler
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
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
	requests prometheus.Counter
	latency  prometheus.Observer
}

// newMetrics registers the sandbox's own figures and those of the Go runtime.
func newMetrics(r *integration.Registry) *metrics {
	reg := prometheus.NewRegistry()
	m := &metrics{
		registry: reg,
		Handler:  promhttp.HandlerFor(reg, promhttp.HandlerOpts{}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paysandbox_requests_total", Help: "Requests to the partner API by operation and HTTP status.",
		}, []string{"operation", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "paysandbox_request_seconds", Help: "Time to answer a request to the partner API, in seconds.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5},
		}, []string{"operation"}),
	}
	reg.MustRegister(m.requests, m.latency, sizes{r}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
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
			m.requests.WithLabelValues(operation, statusLabel(status)), m.latency.WithLabelValues(operation),
		})
	}
	if c, ok := known.(counters); ok {
		c.requests.Inc()
		c.latency.Observe(took.Seconds())
	}
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

// sizes reads the integrations when somebody asks.
type sizes struct{ registry *integration.Registry }

var (
	descIntegrations = prometheus.NewDesc("paysandbox_integrations", "Integrations that exist.", nil, nil)
	descTapeEntries  = prometheus.NewDesc("paysandbox_tape_entries", "Entries on the tapes of all integrations.", nil, nil)
	descTapeBytes    = prometheus.NewDesc("paysandbox_tape_bytes", "Bytes of the entries on the tapes of all integrations.", nil, nil)
	descFiles        = prometheus.NewDesc("paysandbox_disk_files", "Attachments that are on the disk.", nil, nil)
	descFileBytes    = prometheus.NewDesc("paysandbox_disk_bytes", "Bytes of the attachments that are on the disk.", nil, nil)
	descEntities     = prometheus.NewDesc("paysandbox_entities", "Companies, payers, payments and other things that the worlds keep.", nil, nil)
)

// Describe names the figures.
func (sizes) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descIntegrations, descTapeEntries, descTapeBytes, descEntities, descFiles, descFileBytes} {
		ch <- d
	}
}

// Collect adds up all integrations.
func (s sizes) Collect(ch chan<- prometheus.Metric) {
	var entries, entities int
	var size int64
	list := s.registry.List()
	for _, i := range list {
		n, b, e := i.Size()
		entries, size, entities = entries+n, size+b, entities+e
	}
	files, bytes := s.registry.Budget().Files()
	ch <- prometheus.MustNewConstMetric(descFiles, prometheus.GaugeValue, float64(files))
	ch <- prometheus.MustNewConstMetric(descFileBytes, prometheus.GaugeValue, float64(bytes))
	ch <- prometheus.MustNewConstMetric(descIntegrations, prometheus.GaugeValue, float64(len(list)))
	ch <- prometheus.MustNewConstMetric(descTapeEntries, prometheus.GaugeValue, float64(entries))
	ch <- prometheus.MustNewConstMetric(descTapeBytes, prometheus.GaugeValue, float64(size))
	ch <- prometheus.MustNewConstMetric(descEntities, prometheus.GaugeValue, float64(entities))
}

// also tells how the log of inputs stands.
func (m *metrics) also(k *keeper) { m.registry.MustRegister(logFigures{k}) }

// logFigures asks the log when somebody asks.
type logFigures struct{ keeper *keeper }

var (
	descPosition    = prometheus.NewDesc("paysandbox_log_position", "The last message of the log that was applied.", nil, nil)
	descLag         = prometheus.NewDesc("paysandbox_log_lag", "Messages of the log that are to be applied.", nil, nil)
	descLogUp       = prometheus.NewDesc("paysandbox_log_up", "1 when inputs are taken and applied, 0 when the log is broken or cannot be reached.", nil, nil)
	descSnapshotAge = prometheus.NewDesc("paysandbox_snapshot_age_seconds", "How long ago the newest snapshot was written.", nil, nil)
	descAwake       = prometheus.NewDesc("paysandbox_integrations_awake", "Integrations in memory.", nil, nil)
	descCompared    = prometheus.NewDesc("paysandbox_states_compared_total", "How often another sandbox on the log has told what it has come to, and that was held against this one's state.", nil, nil)
	descDiffer      = prometheus.NewDesc("paysandbox_states_differed_total", "How often that was another state: one of the two sandboxes is wrong.", nil, nil)
	descSleeping    = prometheus.NewDesc("paysandbox_integrations_sleeping", "Integrations that are out of memory until their next request or timer.", nil, nil)
)

// Describe names the figures.
func (logFigures) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descPosition, descLag, descLogUp, descSnapshotAge, descAwake, descSleeping, descCompared, descDiffer} {
		ch <- d
	}
}

// Collect asks the log; while it cannot be reached only that is told, and what was compared.
func (f logFigures) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64) { ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v) }
	compared, differed := f.keeper.runner.Compared()
	ch <- prometheus.MustNewConstMetric(descCompared, prometheus.CounterValue, float64(compared))
	ch <- prometheus.MustNewConstMetric(descDiffer, prometheus.CounterValue, float64(differed))
	s, err := f.keeper.status(f.keeper.ctx)
	if err != nil {
		gauge(descLogUp, 0)
		return
	}
	gauge(descLogUp, 1)
	gauge(descPosition, float64(s.Position))
	gauge(descLag, float64(s.Lag))
	gauge(descAwake, float64(s.Awake))
	gauge(descSleeping, float64(s.Sleeping))
	if s.SnapshotAge != nil {
		gauge(descSnapshotAge, float64(*s.SnapshotAge))
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
