package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/fixtures"
)

// newSnapshot keeps, goes back to and branches what a running sandbox holds.
func newSnapshot(env lookup) *cobra.Command {
	cmd := family("snapshot", "Save and branch a running sandbox")
	cmd.Long = "Save what an integration of a running sandbox is, go back to it, and branch it. A snapshot holds world, tape, clock,\n" +
		"faults and what is under way; its file holds the integration's secrets."
	var file string
	save := snapshotCommand(env, "save [NAME]", "Keep the integration as it is now", 0, func(ctx context.Context, f *controlFlags, args []string, out io.Writer) error {
		return saveSnapshot(ctx, f, append(args, "")[0], file, out)
	})
	save.Flags().StringVar(&file, "file", "", "write the snapshot to this file too")
	var dry bool
	load := snapshotCommand(env, "load FILE", "Go on from a saved snapshot or tape", 1, func(ctx context.Context, f *controlFlags, args []string, out io.Writer) error {
		return loadFile(ctx, f, args[0], dry, out)
	})
	load.Flags().BoolVar(&dry, "dry-run", false, "say only whether it would load, and why not")
	cmd.AddCommand(save, load,
		snapshotCommand(env, "list", "List the snapshots", 0, func(ctx context.Context, f *controlFlags, _ []string, out io.Writer) error {
			return answered(out)(f.call(ctx, http.MethodGet, "/snapshots", nil))
		}),
		snapshotCommand(env, "restore NAME", "Make the integration what it was", 1, func(ctx context.Context, f *controlFlags, args []string, out io.Writer) error {
			return answered(out)(f.call(ctx, http.MethodPost, "/snapshots/"+url.PathEscape(args[0])+"/restore", nil))
		}),
		snapshotCommand(env, "delete NAME", "Forget a snapshot", 1, func(ctx context.Context, f *controlFlags, args []string, out io.Writer) error {
			_, err := f.call(ctx, http.MethodDelete, "/snapshots/"+url.PathEscape(args[0]), nil)
			if err == nil {
				_, err = fmt.Fprintf(out, "the snapshot %s is deleted\n", args[0])
			}
			return err
		}),
		snapshotCommand(env, "fork NAME", "Make an integration from a snapshot or a ready world", 1, func(ctx context.Context, f *controlFlags, args []string, out io.Writer) error {
			return answered(out)(fork(ctx, f, args[0]))
		}))
	return cmd
}

// fork goes on from a snapshot of the integration, or from a ready world where it has no
// snapshot of that name.
func fork(ctx context.Context, f *controlFlags, name string) ([]byte, error) {
	if slices.Contains(fixtures.ReadyWorlds(), name) {
		answer, err := f.call(ctx, http.MethodGet, "/snapshots", nil)
		if err != nil {
			return nil, err
		}
		var kept struct{ Snapshots []struct{ Name string } }
		if err := json.Unmarshal(answer, &kept); err != nil {
			return nil, fmt.Errorf("the sandbox's answer is not what it should be: %w", err)
		}
		if !slices.Contains(kept.Snapshots, struct{ Name string }{name}) {
			return f.callAt(ctx, http.MethodPost, "", map[string]string{"from": name})
		}
	}
	return f.call(ctx, http.MethodPost, "/snapshots/"+url.PathEscape(name)+"/fork", struct{}{})
}

// answered prints an answer.
func answered(w io.Writer) func([]byte, error) error {
	return func(answer []byte, err error) error {
		if err != nil {
			return err
		}
		return pretty(w, answer)
	}
}

// snapshotCommand is one of the commands, which takes at least so many words, and at
// most one.
func snapshotCommand(env lookup, use, short string, least int, run func(context.Context, *controlFlags, []string, io.Writer) error) *cobra.Command {
	var f controlFlags
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < least || len(args) > max(least, 1) || use == "list" && len(args) > 0 {
				return badUsage("`paysandbox snapshot "+use+"`", "%s does not take %d words", cmd.CommandPath(), len(args))
			}
			if err := fromEnvironment(cmd.Flags(), env); err != nil {
				return err
			}
			return run(cmd.Context(), &f, args, cmd.OutOrStdout())
		},
	}
	f.declare(cmd)
	return cmd
}

func saveSnapshot(ctx context.Context, f *controlFlags, name, file string, out io.Writer) error {
	if err := canReplace("--file", file); err != nil {
		return err
	}
	answer, err := f.call(ctx, http.MethodPost, "/snapshots", map[string]string{"name": name})
	if err != nil {
		return err
	}
	if file != "" {
		var saved struct{ Name string }
		if err := json.Unmarshal(answer, &saved); err != nil {
			return fmt.Errorf("the sandbox's answer is not what it should be: %w", err)
		}
		whole, err := f.call(ctx, http.MethodPost, "/snapshots/"+url.PathEscape(saved.Name)+"/download", nil)
		if err != nil {
			return err
		}
		if err := replaceFile(file, whole, 0o600); err != nil {
			return badUsage("`paysandbox snapshot list` shows it; give a file that can be written, and save it under another name", "--file: the sandbox keeps the snapshot %s, the file was not written: %w", saved.Name, err)
		}
	}
	return pretty(out, answer)
}

func loadFile(ctx context.Context, f *controlFlags, path string, dry bool, out io.Writer) error {
	file, err := readAtMost(path, mostLoaded)
	if err != nil {
		return badUsage("give the file of a snapshot or of a tape", "%w", err)
	}
	query := ""
	if dry {
		query = "?dryRun=true"
	}
	return answered(out)(f.send(ctx, http.MethodPost, "/load"+query, "application/octet-stream", file))
}

// replaceFile writes a file aside, under a name that nobody can have prepared, and lets it
// take the other's place once it is on disk: a failure leaves the other as it was.
func replaceFile(path string, b []byte, mode os.FileMode) error {
	aside, err := asideOf(path)
	if err != nil {
		return err
	}
	_, err = aside.Write(b)
	if err = errors.Join(err, aside.Chmod(mode), aside.Sync(), aside.Close()); err == nil {
		err = os.Rename(aside.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(aside.Name()))
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// asideOf makes the file that will take another's place. What is no file, as a folder or
// /dev/stdout, nothing can take the place of.
func asideOf(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	return os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
}

// canReplace says before anything is done that a file, if one is asked for, could not be
// written.
func canReplace(flag, path string) error {
	if path == "" {
		return nil
	}
	probe, err := asideOf(path)
	if err != nil {
		return badUsage("give a file that can be written", flag+": %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// newFixture tells of the test data.
func newFixture() *cobra.Command {
	return family("fixture", "List the ready worlds", &cobra.Command{
		Use: "list", Short: "List what `serve --from` and `snapshot fork` go on from", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b strings.Builder
			for _, w := range fixtures.Worlds() {
				folded(&b, fmt.Sprintf("%-18s ", w.Name), strings.Repeat(" ", 19), w.About)
			}
			_, err := io.WriteString(cmd.OutOrStdout(), b.String())
			return err
		},
	})
}
