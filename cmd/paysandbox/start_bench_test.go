package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkStart builds the binary as the Makefile does and reports its size,
// the time from its start to its first answer, and its resident memory at rest.
func BenchmarkStart(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "paysandbox")
	build := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(b, err, string(out))
	info, err := os.Stat(binary)
	require.NoError(b, err)
	var took, resident []float64
	for b.Loop() {
		for range 11 {
			t, r := startOnce(b, binary)
			took, resident = append(took, t), append(resident, r)
		}
	}
	slices.Sort(took)
	slices.Sort(resident)
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB-binary")
	b.ReportMetric(took[len(took)/2], "ms-to-first-answer")
	b.ReportMetric(resident[len(resident)/2], "MiB-resident")
}

// startOnce gives the milliseconds to the first answer and the MiB resident
// after it.
func startOnce(b *testing.B, binary string) (took, resident float64) {
	b.Helper()
	begin := time.Now()
	cmd := exec.CommandContext(b.Context(), binary, "serve", "--addr", "127.0.0.1:0", "--announce", "json")
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	require.NoError(b, err)
	var a announcement
	require.NoError(b, json.Unmarshal(line, &a))
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", strings.TrimPrefix(a.BaseURL, "http://"))
	require.NoError(b, err)
	_, err = conn.Write([]byte("GET /_sandbox/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
	require.NoError(b, err)
	status, err := bufio.NewReader(conn).ReadString('\n')
	require.NoError(b, err)
	require.Contains(b, status, "200")
	took = float64(time.Since(begin)) / float64(time.Millisecond)
	require.NoError(b, conn.Close())
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", cmd.Process.Pid))
	require.NoError(b, err)
	var size, pages int64
	_, err = fmt.Sscan(string(raw), &size, &pages)
	require.NoError(b, err)
	require.NoError(b, cmd.Process.Signal(os.Interrupt))
	require.NoError(b, cmd.Wait())
	return took, float64(pages*int64(os.Getpagesize())) / (1 << 20)
}
