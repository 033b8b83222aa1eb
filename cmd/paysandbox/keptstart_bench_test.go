package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// kept opens a sandbox in this process on a folder, as serve --data does.
func kept(b *testing.B, dir string) *mockserver.Server {
	b.Helper()
	log, err := natslog.OpenFolder(b.Context(), dir, natslog.SyncInterval, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	o := mockserver.Options{Inputs: log, Images: durable.NewImages(log.Folder().Images()), Integration: integration.Options{Seed: 1, ClientID: defaultID, ClientSecret: defaultSecret, Clock: integration.Manual}}
	o.Shelf, err = shelf.Open(log.Folder().Sleeping())
	require.NoError(b, err)
	s, err := mockserver.New(o)
	require.NoError(b, err)
	return s
}

// filled puts companies with ten payments each into a world, many with one input.
func filled(b *testing.B, i *integration.Integration, companies int) {
	b.Helper()
	const at, each = 100, 10
	amount := int64(5000)
	for from := 0; from < companies; from += at {
		i.Do(&integration.Call{Kind: tape.KindControl}, func(w *world.World, _ *integration.Call) {
			for n := from; n < min(from+at, companies); n++ {
				_, err := w.CreateCompany(&world.NewCompany{
					CompanyReferenceID: "fill-" + strconv.Itoa(n), Name: "Gym " + strconv.Itoa(n), EmailAddress: "office@example.com",
					ContactNumber: "+12025550123", CompanyType: "LLC", ZipCode: "94610", State: "CA", TaxID: "12-3456789", TaxIDType: "EIN",
					Owner: &world.Owner{EmailAddress: "o@example.com", ContactNumber: "+12025550124", SSN: "1234", ZipCode: "94610", State: "CA"},
				})
				require.NoError(b, err)
				for k := range each {
					_, err := w.CreatePayment(&world.NewPayment{
						Amount: &amount, ContactNumber: fmt.Sprintf("+1202555%04d", (n*each+k)%10000), CompanyReferenceID: "fill-" + strconv.Itoa(n),
						Purpose: world.Purpose{ShortDescription: "Membership", Reference: "order-" + strconv.Itoa(n*each+k)},
					})
					require.NoError(b, err)
				}
			}
		})
	}
}

// BenchmarkStartKept fills a folder with PAYSANDBOX_COMPANIES (10,000) and ten times as
// many payments, and starts the binary on it, in turn with a start on an empty folder: the
// time to the first answer, and the resident memory when it stopped and after the start.
func BenchmarkStartKept(b *testing.B) {
	companies := 10_000
	if n, err := strconv.Atoi(os.Getenv("PAYSANDBOX_COMPANIES")); err == nil {
		companies = n
	}
	dir := b.TempDir()
	s := kept(b, dir)
	filled(b, s.Registry().Default(), companies)
	debug.FreeOSMemory()
	stopped := residentOf(b, os.Getpid())
	require.NoError(b, s.Close(b.Context()))
	binary := built(b, ".")
	var empty, full, after []float64
	for b.Loop() {
		for n := range 5 {
			args := []string{"serve", "--addr", "127.0.0.1:0", "--announce", "json", "--memory", "8GiB", "--data"}
			t, _ := startOnce(b, binary, append(args, filepath.Join(b.TempDir(), strconv.Itoa(n)))...)
			empty = append(empty, t)
			t, r := startOnce(b, binary, append(args, dir)...)
			full, after = append(full, t), append(after, r)
		}
	}
	b.ReportMetric(median(empty), "ms-empty")
	b.ReportMetric(median(full), "ms-kept")
	b.ReportMetric(stopped, "MiB-when-stopped")
	b.ReportMetric(median(after), "MiB-after-start")
}
