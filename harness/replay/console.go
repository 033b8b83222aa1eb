package replay

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// mostCalls is of how many calls and webhooks a case is made in the console: a file of
// 16 MiB can hold some 180,000, which would be compared for many minutes.
const mostCalls = 10_000

// errCalls says that files hold more.
var errCalls = errors.New("expected at most " + strconv.Itoa(mostCalls) + " calls and webhooks")

// MakeCase makes a case of files that are held in memory, as the console has them. What
// is no tape is cleaned before anything is made of it. The error is a *[source.Error] for
// a file that cannot be read.
func MakeCase(ctx context.Context, files []source.File, clean func(recording.Recording) recording.Recording, o Options) (*Case, error) {
	r, err := read.Contents(files, read.Options{})
	if err != nil {
		return nil, err
	}
	if n := len(r.Exchanges) + len(r.Received); n > mostCalls {
		return nil, fmt.Errorf("%w, received %d; give the part that shows it, or use `paysandbox replay FILE`", errCalls, n)
	}
	saved, err := tapeOf(files, &r)
	if err != nil {
		return nil, err
	}
	if saved == nil {
		r = clean(r)
	}
	return Make(ctx, &r, saved, o)
}
