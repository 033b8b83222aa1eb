// Package receiver reads from the lines of files what a partner's receiver of webhooks says that it did with them: refused them,
// did the same again, or nothing. It finds no webhooks and judges nothing.
package receiver

import (
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// Read reads all of that from the files of a recording, and from the calls of it that were made to other hosts.
func Read(files []source.File, others []recording.Exchange, r *recording.Recording) {
	for _, read := range []func([]source.File, *recording.Recording){Replies, Refusals, RefusedElsewhere, Digests, Effects, Ignored, Early, Back, Another, Declined, Unheard} {
		read(files, r)
	}
	Marked(others, r)
}
