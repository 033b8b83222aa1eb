package stream_test

import (
	"bytes"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/console/stream"
)

func TestWhatIsFramedIsOneEvent(t *testing.T) {
	t.Parallel()
	given := []byte("<tr>\n<td>a\r\nb</td></tr>")
	kept := bytes.Clone(given)
	require.Equal(t, "id: 7\nevent: news\ndata: <tr> <td>a  b</td></tr>\n\n", string(stream.Framed("news", given, 7)))
	require.Equal(t, kept, given)
	require.Equal(t, "id: 18446744073709551615\n\n", string(stream.Framed("", nil, 1<<64-1)))
}

// TestTheSameBytesServeAll: that one more browser is sent the same rows copies none of
// them. Each copied them four times.
func TestTheSameBytesServeAll(t *testing.T) {
	event := stream.Framed("", bytes.Repeat([]byte("<tr></tr>"), 4_000), 1)
	w := httptest.NewRecorder()
	s := stream.NewSender(w)
	w.Body.Grow(101 * len(event))
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() { s.Send(event) }), 3.0)
}
