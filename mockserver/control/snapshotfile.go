package control

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
)

// maxFile is the largest snapshot or tape that is loaded, in bytes (256 MiB).
const maxFile = 256 << 20

// snapshotMedia is the media type of a snapshot's file.
const snapshotMedia = "application/octet-stream"

// Loaded says what loading a file has brought, or would have.
type Loaded struct {
	// Kind is snapshot or tape.
	Kind string `json:"kind" required:"true" enum:"snapshot,tape" example:"snapshot"`
	// DryRun is true when nothing was changed.
	DryRun bool `json:"dryRun" required:"true" example:"false"`
	// Seed, Environment and Now are the file's; Entities and TapeEntries what it holds.
	Seed        uint64 `json:"seed" required:"true" example:"42"`
	Environment string `json:"environment" required:"true" example:"sandbox"`
	Now         string `json:"now" format:"date-time" required:"true" example:"2026-03-02T17:00:00Z"`
	Entities    int    `json:"entities" required:"true" example:"12"`
	TapeEntries int    `json:"tapeEntries" required:"true" example:"120"`
}

// SnapshotFile is the file of a snapshot: no JSON, but bytes that begin with
// "paysandbox snapshot" and a line feed and end with their SHA-256.
type SnapshotFile struct{}

// downloadSnapshot answers with the snapshot as it stands in a file.
func downloadSnapshot(x *exchange, i *integration.Integration) (door.Empty, error) {
	s, err := x.snapshot(i)
	if err != nil {
		return door.Empty{}, err
	}
	x.streamed = true
	_ = http.NewResponseController(x.Writer).SetWriteDeadline(integration.Wall().Add(fileTime))
	h := x.Writer.Header()
	h.Set("Content-Type", snapshotMedia)
	h.Set("Content-Length", strconv.Itoa(len(s.Bytes())))
	h.Set("Content-Disposition", `attachment; filename="`+x.Param("s")+`.snapshot"`)
	x.Writer.WriteHeader(http.StatusOK)
	_, _ = x.Writer.Write(s.Bytes()) // who is gone does not miss it
	return door.Empty{}, nil
}

// fileTime is how long a file may take on its way.
const fileTime = time.Minute

// load makes the integration what a snapshot or a tape holds, or says only whether it
// would go.
func load(x *exchange, i *integration.Integration) (Loaded, error) {
	q := x.asked()
	dry := q.choice("dryRun", []string{"true", "false"}) == "true"
	if err := q.err(); err != nil {
		return Loaded{}, err
	}
	file, err := x.file()
	if err != nil {
		return Loaded{}, err
	}
	defer x.control.opts.Registry.Budget().Give(int64(len(file)))
	s, err := x.control.opts.Load(x.Req.Context(), file)
	if err != nil {
		return Loaded{}, unsaved(err)
	}
	if !dry {
		if err := i.Restore(s); err != nil {
			return Loaded{}, unsaved(err)
		}
	}
	kind := "tape"
	if integration.IsSnapshot(file) {
		kind = "snapshot"
	}
	return Loaded{
		Kind: kind, DryRun: dry, Seed: s.Options.Seed, Environment: string(s.Options.Environment), Now: s.Now.Format(time.RFC3339Nano),
		Entities: s.Entities, TapeEntries: s.Entries,
	}, nil
}

// file reads the body, and draws what it takes from the budget.
func (x *exchange) file() ([]byte, error) {
	_ = http.NewResponseController(x.Writer).SetReadDeadline(integration.Wall().Add(fileTime))
	n := x.Req.ContentLength
	switch b := x.control.opts.Registry.Budget(); {
	case n < 0:
		return nil, invalid(wrong("header:Content-Length", "control.load.length", "", "the number of bytes of the file", "send Content-Length, as for a file and not for a stream"))
	case n > maxFile:
		return nil, &kernel.Error{Code: kernel.TooLarge, Detail: "the file was refused: it is larger than 256 MiB, nothing was changed"}
	case !b.Take(n):
		return nil, &kernel.Error{Code: kernel.Full, Detail: budget.ErrNoRoom.Error()}
	default:
		file := make([]byte, n)
		if _, err := io.ReadFull(x.Req.Body, file); err != nil {
			b.Give(n)
			return nil, invalid(wrong("", "control.load.broken-off", "", strconv.FormatInt(n, 10)+" bytes", "send the whole file"))
		}
		return file, nil
	}
}
