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
// A server that does nothing but answer is started in turn with it: what the
// machine and Go's runtime take, and the ratio to that.
func BenchmarkStart(b *testing.B) {
	bare := built(b, "./testdata/bareserver")
	binary := built(b, ".")
	info, err := os.Stat(binary)
	require.NoError(b, err)
	var took, least, resident []float64
	for b.Loop() {
		for range 11 {
			t, _ := startOnce(b, bare)
			least = append(least, t)
			t, r := startOnce(b, binary, "serve", "--addr", "127.0.0.1:0", "--announce", "json")
			took, resident = append(took, t), append(resident, r)
		}
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB-binary")
	b.ReportMetric(median(took), "ms-to-first-answer")
	b.ReportMetric(median(least), "ms-bare-server")
	b.ReportMetric(median(took)/median(least), "times-bare")
	b.ReportMetric(median(resident), "MiB-resident")
}

// built builds a command as the Makefile does.
func built(b *testing.B, source string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "binary")
	build := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(b, err, string(out))
	return binary
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// startOnce gives the milliseconds to the first answer and the MiB resident
// after it.
func startOnce(b *testing.B, binary string, args ...string) (took, resident float64) {
	b.Helper()
	begin := time.Now()
	cmd := exec.CommandContext(b.Context(), binary, args...)
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
	resident = residentOf(b, cmd.Process.Pid)
	require.NoError(b, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // the bare server knows no orderly end
	return took, resident
}

// residentOf is the resident memory of a process in MiB.
func residentOf(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	require.NoError(b, err)
	var size, pages int64
	_, err = fmt.Sscan(string(raw), &size, &pages)
	require.NoError(b, err)
	return float64(pages*int64(os.Getpagesize())) / (1 << 20)
}
