package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/integration"
)

func newData() *cobra.Command {
	return family("data", "Look at what a sandbox keeps", &cobra.Command{
		Use: "check DIR", Short: "Say what of a data folder is whole", Args: oneFolder,
		Long: "Read the snapshots and the log in a folder of `paysandbox serve --data` to its end, and say whether it is\n" +
			"whole, or where it is broken. No sandbox may be serving the folder. Nothing of it is changed: a copy of the log is\n" +
			"read, in the folder for temporary files.\n\n" +
			"Exit codes: 0 whole; 1 broken; 2 it cannot be opened.",
		RunE: func(cmd *cobra.Command, args []string) error { return checkData(cmd, args[0]) },
	})
}

// oneFolder takes one folder.
func oneFolder(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return badUsage("write `"+cmd.UseLine()+"`, one folder that was given to --data", "%s takes 1 folder, got %d", cmd.CommandPath(), len(args))
	}
	return nil
}

// checkData tells what a look through the folder has found.
func checkData(cmd *cobra.Command, dir string) error {
	stream, lost, err := openCopy(cmd.Context(), dir)
	if err != nil {
		return err
	}
	beside := &sleepers{dir: stream.Folder().Sleeping()}
	err = beside.list()
	found, wrong := durable.Check(cmd.Context(), stream, durable.NewImages(stream.Folder().Images()), beside.goOn)
	whole, needed := beside.look()
	other, unread := otherBuild(cmd.Context(), stream, found)
	err = errors.Join(lost, err, wrong, needed, unread, stream.Close())
	state := "whole"
	if err != nil {
		state = "whole up to there"
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\nmessages: %d, inputs: %d, shards: %d; the last is message %d\nsnapshots: %d; files of sleeping integrations: %d\n",
		dir, state, found.Messages, found.Inputs, found.Shards, found.Last, found.Snapshots, whole)
	if other != "" && err == nil {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), other)
	}
	for _, one := range beside.left {
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "damaged, and not needed: %v\n", one)
	}
	switch {
	case errors.Is(err, durable.ErrNewer):
		return badUsage(otherVersion, "data check: %w", err)
	case err != nil:
		return &verdictError{code: verdict.CodeFailed, text: err.Error()}
	}
	return nil
}

// openCopy opens a copy of the log; a refusal says what to do.
func openCopy(ctx context.Context, dir string) (stream *natslog.Stream, lost, err error) {
	at, err := os.Stat(dir)
	if err == nil && !at.IsDir() {
		err = fmt.Errorf("%s is a file, and no folder", dir)
	}
	if err != nil {
		return nil, nil, badUsage("name a folder that was given to --data", "data check: %w", err)
	}
	stream, lost, err = natslog.OpenCopy(ctx, dir, slog.New(slog.DiscardHandler))
	switch {
	case errors.Is(err, durable.ErrFormat), errors.Is(err, durable.ErrOlder):
		return nil, nil, badUsage(otherVersion, "data check: %w", err)
	case errors.Is(err, natslog.ErrNothing):
		return nil, nil, badUsage("name a folder that was given to --data", "data check: %w", err)
	case errors.Is(err, durable.ErrBroken):
		return nil, nil, &verdictError{code: verdict.CodeFailed, text: err.Error()}
	case errors.Is(err, natslog.ErrHeld):
		return nil, nil, badUsage("stop the sandbox that serves it, or check a copy", "data check: %w", err)
	case errors.Is(err, fs.ErrPermission):
		return nil, nil, badUsage("check it as the user that serves it", "data check: %w", err)
	case errors.Is(err, syscall.ENOSPC):
		return nil, nil, badUsage("make room in "+os.TempDir()+", or let TMPDIR name another folder: the log is copied there", "data check: %w", err)
	case err != nil:
		return nil, nil, badUsage("restore the folder from a backup", "data check: %w", err)
	}
	return stream, lost, nil
}

// otherBuild says what a start of this build would apply that another one has applied.
func otherBuild(ctx context.Context, log *natslog.Stream, found durable.Found) (string, error) {
	was, err := log.Build(ctx)
	if err != nil || found.Behind == 0 || was == thisBuild() {
		return "", err
	}
	return mockserver.OtherBuild(found.Behind, was, thisBuild()), nil
}

// sleepers are the files of sleeping integrations beside the snapshots.
type sleepers struct {
	dir string
	// idle are those that no snapshot refers to, which a start has no need of: the log makes
	// them again, or did; left are the damaged ones among them.
	idle map[string]bool
	left []error
}

// list takes all for idle.
func (l *sleepers) list() error {
	s, err := shelf.Open(l.dir)
	if err != nil {
		return err
	}
	names, err := s.List()
	l.idle = make(map[string]bool, len(names))
	for _, name := range names {
		l.idle[name] = true
	}
	return err
}

// goOn tells why a start could not go on from a snapshot's state: what is in it, or who
// sleeps beside it.
func (l *sleepers) goOn(state []byte) error {
	s, err := shelf.Open(l.dir)
	if err != nil {
		return err
	}
	r := integration.OpenRegistry(nil, s, time.Now, nil, nil)
	defer r.Close()
	err = r.Stand(state)
	for name := range l.idle {
		l.idle[name] = l.idle[name] && s.Idle(name)
	}
	return err
}

// look reads all and tells how many are whole, and which of those that are needed are not.
func (l *sleepers) look() (whole int, err error) {
	s, err := shelf.Open(l.dir)
	if err != nil {
		return 0, err
	}
	for _, name := range slices.Sorted(maps.Keys(l.idle)) {
		switch _, wrong := s.Get(name); {
		case wrong == nil:
			whole++
		case l.idle[name]:
			l.left = append(l.left, wrong)
		default:
			err = errors.Join(err, wrong)
		}
	}
	return whole, err
}
