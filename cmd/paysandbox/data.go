package main

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"paysandbox/mockserver"
	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
	"paysandbox/mockserver/durable/shelf"
	"paysandbox/mockserver/filestore"
)

// dataFlags say where a sandbox keeps what it is told.
type dataFlags struct {
	// held is the last message that the log held at the start; 0 for none.
	held       uint64
	data, sync string
	cluster    natslog.Cluster
	sleepAfter time.Duration
	every      int64
}

func (f *dataFlags) declare(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.data, "data", "", "folder in which everything is kept: companies, tapes, webhooks, deliveries and the clock are there after a restart")
	fs.StringVar(&f.sync, "sync", string(natslog.SyncInterval), "with --data: interval flushes every second (survives the end of the process, kill -9 included; a loss of power "+
		"takes up to the last second), always flushes before each answer (survives a loss of power; several times slower)")
	fs.StringVar(&f.cluster.URLs, "cluster", "", "addresses of NATS servers with JetStream, as nats://a:4222,nats://b:4222, or tls://: any number of sandboxes there serve the same integrations")
	fs.StringVar(&f.cluster.Name, "cluster-name", "", "with --cluster: tells logs on the same servers apart (default paysandbox)")
	fs.IntVar(&f.cluster.Replicas, "cluster-replicas", 3, "with --cluster: how many servers keep each input (1, 3 or 5), where the log is made")
	fs.DurationVar(&f.cluster.Patience, "cluster-wait", 30*time.Second, "with --cluster: how long a start waits for servers that are starting or choosing a leader")
	fs.StringVar(&f.cluster.Credentials, "cluster-credentials", "", "with --cluster: file with the credentials of NATS; a user and a password may stand in the addresses instead")
	fs.StringVar(&f.cluster.CA, "cluster-ca", "", "with --cluster: file with the certificates that the servers' are checked by")
	fs.StringVar(&f.cluster.Cert, "cluster-cert", "", "with --cluster: file with the certificate that the servers check")
	fs.StringVar(&f.cluster.Key, "cluster-key", "", "with --cluster: file with the key of --cluster-cert")
	fs.DurationVar(&f.sleepAfter, "sleep-after", 10*time.Minute, "with --data: an integration that nobody has asked for so long leaves memory until its next request or timer")
	fs.Int64Var(&f.every, "snapshot-every", 10_000, "with --data: how many inputs come between two snapshots, with --cluster how many messages (each holds some inputs); the log is cut behind the one before the newest")
	completeWords(cmd, map[string][]string{"sync": {string(natslog.SyncInterval), string(natslog.SyncAlways)}})
}

// keep opens what keeps the inputs, if anything does.
func (f *dataFlags) keep(ctx context.Context, opts *mockserver.Options, log *slog.Logger) error {
	if err := f.flushes(); err != nil {
		return err
	}
	switch {
	case f.data != "" && f.cluster.URLs != "":
		return badUsage("give one of them", "--data and --cluster: a sandbox keeps what it is told in one place")
	case f.every <= 0:
		return badUsage("give a number as 10000", "--snapshot-every: %d says not when a snapshot is due", f.every)
	case f.cluster.URLs != "":
		return f.share(ctx, opts, log)
	case f.sleepAfter <= 0:
		return badUsage("give a time as 10m", "--sleep-after: %s is no time that can pass", f.sleepAfter)
	case f.data == "":
		return nil
	}
	stream, err := natslog.OpenFolder(ctx, f.data, natslog.Sync(f.sync), log)
	if err != nil {
		return f.unheld(err)
	}
	opts.Integration.Budget.Disk, err = filestore.Open(filepath.Join(f.data, "attachments"), mostFiles, log)
	if err != nil {
		return errors.Join(badUsage("give --data a folder of its own that can be written", "--data: %w", err), stream.Close())
	}
	opts.Build = thisBuild()
	opts.Inputs, opts.Images, opts.ImageEvery, opts.SleepAfter = stream, durable.NewImages(stream.Folder().Images()), f.every, f.sleepAfter
	if opts.Shelf, err = shelf.Open(stream.Folder().Sleeping()); err != nil {
		return errors.Join(badUsage("make the folder readable, or give another one", "--data: %w", err), stream.Close())
	}
	return nil
}

// flushes checks when the log is flushed, and whether there is one.
func (f *dataFlags) flushes() error {
	sync := natslog.Sync(f.sync)
	switch {
	case sync == natslog.SyncInterval:
		return nil
	case sync != natslog.SyncAlways:
		return badUsage("use interval or always", "--sync: %q says not when to flush", f.sync)
	case f.cluster.URLs != "":
		return badUsage("leave --sync out: sync_interval: always in the servers' configuration does it", "--sync always: the servers of --cluster say when they flush")
	case f.data == "":
		return badUsage("give --data DIR, or leave --sync out", "--sync always: without --data nothing is kept")
	}
	return nil
}

// thisBuild names this very program: its version, and what the bytes of its file add up to,
// since two builds of a version may differ.
func thisBuild() string {
	name, err := os.Executable()
	if err != nil {
		return version
	}
	file, err := os.Open(name) //nolint:gosec // G304: it is this program.
	if err != nil {
		return version
	}
	defer func() { _ = file.Close() }()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	if _, err := io.Copy(sum, file); err != nil {
		return version
	}
	return fmt.Sprintf("%s (build %08x)", version, sum.Sum32())
}

// unheld says why the folder was not taken, and what to do.
func (f *dataFlags) unheld(err error) error {
	switch {
	case errors.Is(err, natslog.ErrHeld):
		return badUsage("stop the other one, or give another folder", "--data: %w", err)
	case errors.Is(err, durable.ErrFormat), errors.Is(err, durable.ErrOlder):
		return badUsage(otherVersion, "--data: %w", err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return badUsage("give a folder in which the user that serves may write, and all that is in it", "--data: %w", err)
	case errors.Is(err, syscall.ENOSPC):
		return badUsage("make room on the disk, and start again", "--data: %w", err)
	case errors.Is(err, syscall.ENOTDIR):
		return badUsage("give a folder", "--data: %w", err)
	}
	return badUsage("`paysandbox data check "+shellWord(f.data)+"` says what is whole", "--data: %w", err)
}

// otherVersion is what to do about a folder of another version.
const otherVersion = "serve the folder with the paysandbox that has written it, or begin with another folder"

// share opens the log that several sandboxes share.
func (f *dataFlags) share(ctx context.Context, opts *mockserver.Options, log *slog.Logger) error {
	switch n := f.cluster.Replicas; {
	case n != 1 && n != 3 && n != 5:
		return badUsage("give 1, 3 or 5", "--cluster-replicas: %d servers cannot agree well", n)
	case (f.cluster.Cert == "") != (f.cluster.Key == ""):
		return badUsage("give both", "--cluster-cert and --cluster-key: one is of no use without the other")
	}
	stream, err := natslog.Dial(ctx, f.cluster, log)
	if errors.Is(err, natslog.ErrName) {
		return badUsage("for example --cluster-name team-checkout", "--cluster-name: %w", err)
	}
	if err != nil {
		return badUsage("give the addresses of NATS servers that run with JetStream (nats-server -js), and what they ask for: --cluster-credentials, --cluster-ca, --cluster-cert; a single server keeps the log with --cluster-replicas 1", "--cluster: %w", err)
	}
	opts.Build = thisBuild()
	opts.Inputs, opts.Shared, opts.Patience = stream, true, f.cluster.Patience
	opts.Images, opts.ImageEvery = durable.SharedImages(stream.Snapshots()), f.every
	return nil
}

// survives says at a start where things are kept, and what may be lost; "" where nothing
// is kept, which nobody who has not asked for it need be told.
func (f *dataFlags) survives() string {
	switch {
	case f.cluster.URLs != "":
		return "in the log of --cluster: what was answered is lost only where its servers lose it"
	case f.data == "":
		return ""
	case natslog.Sync(f.sync) == natslog.SyncAlways:
		return "in " + f.data + ", flushed before each answer: neither kill -9 nor a loss of power takes what was answered"
	}
	return "in " + f.data + ", flushed every second: kill -9 takes nothing, a loss of power up to the last second (--sync always: nothing)"
}

// place says where things are kept, without the passwords in addresses.
func (f *dataFlags) place() string {
	if f.cluster.URLs != "" {
		return "the log of --cluster"
	}
	return f.data
}

// mostFiles bounds the bytes of attachments on the disk, of all integrations together.
const mostFiles = 4 << 30

// unopened says why a sandbox could not begin.
func (f *dataFlags) unopened(err error) error {
	if errors.Is(err, durable.ErrNewer) && f.data != "" {
		return badUsage(otherVersion, "--data %s: %w", f.data, err)
	}
	if f.cluster.URLs != "" {
		return badUsage("look at the log of the NATS servers; another --cluster-name begins another log", "--cluster: %w", err)
	}
	if f.data != "" {
		return badUsage("`paysandbox data check "+shellWord(f.data)+"` says what is whole; restore the folder from a backup, or begin with another one", "--data %s: %w", f.data, err)
	}
	return nil
}
