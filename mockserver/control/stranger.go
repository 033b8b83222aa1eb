package control

import (
	"bytes"
	"net/http"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// readStrangers writes the last calls of nobody that are on no integration's tape.
func readStrangers(x *exchange, _ *integration.Integration) (door.Empty, error) {
	entries, dropped := x.control.opts.Registry.Strangers().Entries()
	meta := tape.Meta{Version: tape.Version, ToolVersion: x.control.opts.Version, Dropped: dropped}
	if len(entries) > 0 {
		meta.First = entries[0].Seq
	}
	var lines bytes.Buffer
	out := tape.NewWriter(&lines)
	err := out.WriteMeta(meta)
	for n := range entries {
		if err == nil {
			err = out.WriteEntry(entries[n])
		}
	}
	if err != nil {
		return door.Empty{}, err
	}
	x.streamed = true
	h := x.Writer.Header()
	h["Date"] = nil
	h.Set("Content-Type", tapeMedia)
	if x.Req.Method != http.MethodHead {
		_, _ = x.Writer.Write(lines.Bytes()) // a reader who has gone needs nothing
	}
	return door.Empty{}, nil
}

func strangerRoutes() []*route {
	r := row("readStrangers", http.MethodGet, Prefix+"/strangers", reads(readStrangers), nil, Line{}).
		About("Tape", "Read the last calls of nobody as JSON lines").
		Says("The first calls without a good token go on the tape of the integration that they mean, or of the default one. " +
			"When there are many, the others are kept here, so that they do not push the owner's entries off the tape.")
	r.Media = []string{strings.TrimSuffix(tapeMedia, "; charset=utf-8")}
	return []*route{r}
}
