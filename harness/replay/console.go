package replay

import (
	"context"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// MakeCase makes a case of files that are held in memory, as the console has them. What
// is no tape is cleaned before anything is made of it. The error is a *[source.Error] for
// a file that cannot be read.
func MakeCase(ctx context.Context, files []source.File, clean func(recording.Recording) recording.Recording, o Options) (*Case, error) {
	r, err := read.Contents(files, read.Options{})
	if err != nil {
		return nil, err
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
