package tape_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

// FuzzRead: whatever is read can be written, and then reads back the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(header + clock1))
	f.Add(export(f, meta(), oneOfEach()))
	f.Add([]byte(header + `{"seq":1,"kind":"event","event":{"name":"\ud800","bodyBase64":"/w=="}}`))
	f.Add([]byte(header + `{"seq":1,"kind":"finding","findings":[{}],"entities":[null]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, list, err := tape.ReadWith(bytes.NewReader(file), tape.ReadOptions{LineBytes: 1 << 16, FileBytes: 1 << 18})
		if err != nil {
			return
		}
		first := export(t, m, list)
		m, list, err = tape.Read(bytes.NewReader(first))
		require.NoError(t, err)
		require.Equal(t, string(first), string(export(t, m, list)))
	})
}

// FuzzDecode: whatever is decoded can be encoded, and then decodes the same; the
// filter looks inside without harm.
func FuzzDecode(f *testing.F) {
	for _, e := range oneOfEach() {
		f.Add(tape.Encode(&e))
	}
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, raw []byte) {
		tape.MatchRaw(tape.Filter{Entity: "p1", Operation: "payment.create"}, raw)
		e, err := tape.Decode(raw)
		if err != nil {
			return
		}
		again, err := tape.Decode(tape.Encode(&e))
		require.NoError(t, err)
		require.Equal(t, e, again)
	})
}
