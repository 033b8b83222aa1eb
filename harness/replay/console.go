package replay

import (
	"context"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// MakeCase makes a case of files that are held in memory, as the console has them. The
// error is a *[source.Error] for a file that cannot be read.
func MakeCase(ctx context.Context, files []source.File, how read.Options, o Options) (*Case, error) {
	r, err := read.Contents(files, how)
	if err != nil {
		return nil, err
	}
	saved, err := tapeOf(files, &r)
	if err != nil {
		return nil, err
	}
	return Make(ctx, &r, saved, o)
}
