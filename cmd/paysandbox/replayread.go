package main

import (
	"context"
	"fmt"
	"os"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
)

// make makes a case of files, or of a stored case's folder again.
func (f *replayFlags) make(ctx context.Context, files []string, o replay.Options) (*replay.Case, *replay.Stored, error) {
	if info, err := os.Stat(files[0]); err == nil && info.IsDir() {
		if len(files) > 1 {
			return nil, nil, badUsage("replay them one by one", "a case's folder stands alone")
		}
		return storedCase(ctx, files[0], o)
	}
	r, err := read.Files(files, read.Options{Services: f.services, WebhookSecret: f.webhookSecret, ReceivedComplete: f.complete})
	if err != nil {
		return nil, nil, badUsage("`paysandbox replay --help` lists what can be read", "%w", err)
	}
	saved, err := savedTape(files, &r)
	if err != nil {
		return nil, nil, err
	}
	c, err := replay.Make(ctx, &r, saved, o)
	return c, nil, err
}

// storedCase makes a stored case again.
func storedCase(ctx context.Context, folder string, o replay.Options) (*replay.Case, *replay.Stored, error) {
	stored, r, script, err := replay.Load(folder)
	if err != nil {
		return nil, nil, badUsage("a case's folder is written by `paysandbox replay FILE --to case=FOLDER`", "%w", err)
	}
	c, err := replay.Again(ctx, r, script, o)
	return c, &stored, err
}

// savedTape is the tape that a recording was read from, nil unless it was one alone and
// whole.
func savedTape(files []string, r *recording.Recording) (*replay.Tape, error) {
	if len(files) != 1 || r.Sources[0].Format != "tape" {
		return nil, nil
	}
	meta, entries, _, err := readTape(files[0])
	if err != nil || meta.Dropped > 0 {
		return nil, err
	}
	return &replay.Tape{Meta: meta, Entries: entries}, nil
}

// changes tells what a stored case has come to otherwise.
func changes(stored *replay.Stored, c *replay.Case) error {
	if stored == nil {
		return nil
	}
	if list := stored.Changed(c); len(list) > 0 {
		return &verdictError{code: 1, text: fmt.Sprintf("the case %q has changed: %v", stored.Title, list)}
	}
	return nil
}
