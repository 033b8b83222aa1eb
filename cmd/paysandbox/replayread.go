package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
	"paysandbox/harness/verdict"
)

// make makes a case of files, or of a stored case's folder again.
func (f *replayFlags) make(ctx context.Context, files []string, o replay.Options) (*replay.Case, *replay.Stored, error) {
	files, err := spread(files)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(files[0]); err == nil && info.IsDir() {
		if len(files) > 1 {
			return nil, nil, badUsage("replay them one by one", "a case's folder stands alone")
		}
		return storedCase(ctx, files[0], o)
	}
	if at := slices.IndexFunc(files, ofCase); at >= 0 { // it is what its folder holds
		if len(files) > 1 {
			return nil, nil, badUsage("replay its folder alone: `paysandbox replay "+filepath.Dir(files[at])+"`", "%s is a stored case, not a file of a report", files[at])
		}
		return storedCase(ctx, filepath.Dir(files[0]), o)
	}
	if folder, err := unpackedCase(files[0]); folder != "" && len(files) == 1 {
		defer func() { _ = os.RemoveAll(folder) }()
		if err != nil {
			return nil, nil, badUsage("unpack it, and replay its folder", "%s: %w", files[0], err)
		}
		return storedCase(ctx, folder, o)
	}
	c, err := f.fresh(ctx, files, o)
	return c, nil, err
}

// ofCase says whether a file is one of a stored case.
func ofCase(file string) bool {
	name := filepath.Base(file)
	return name == "case.yaml" || (name == "recording.json" || name == "script.json") && replay.IsCase(filepath.Dir(file))
}

// fresh makes a case of the files of a report.
func (f *replayFlags) fresh(ctx context.Context, files []string, o replay.Options) (*replay.Case, error) {
	formats, err := formatsSaid(f.as, files)
	if err != nil {
		return nil, err
	}
	as := read.Options{Services: f.services, Formats: formats, WebhookSecret: f.webhookSecret, ReceivedComplete: f.complete}
	return interruptible(ctx, "replay", func() (*replay.Case, error) { return f.made(ctx, files, as, o) })
}

// made reads the files, plays them and judges.
func (f *replayFlags) made(ctx context.Context, files []string, as read.Options, o replay.Options) (*replay.Case, error) {
	r, err := read.Files(files, as)
	if err != nil {
		return nil, badUsage("`paysandbox replay --help` lists what can be read", "%w", err)
	}
	saved, err := savedTape(files, &r)
	if err != nil {
		return nil, err
	}
	told := ""
	if saved == nil { // a sandbox has struck its own tape's secrets when it made it
		r, told = scrubbed(r, f.keepData)
	}
	c, err := replay.Make(ctx, &r, saved, o)
	if err == nil && told != "" {
		c.Notes = append(c.Notes, told)
	}
	return c, err
}

// mostInFolder is how many files of a folder make a case.
const mostInFolder = 200

// spread puts the files that lie in a folder, and in those within it, in the folder's place: a report often comes as one.
// The folder of a stored case stays, and what is hidden is passed over.
func spread(given []string) (files []string, err error) {
	for _, name := range given {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() || replay.IsCase(name) {
			files = append(files, name)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(name, func(at string, e fs.DirEntry, err error) error {
			switch hidden := at != name && strings.HasPrefix(e.Name(), "."); {
			case err != nil:
				return err
			case hidden && e.IsDir():
				return filepath.SkipDir
			case hidden || !e.Type().IsRegular():
			case len(files)-before == mostInFolder:
				return badUsage("give the files that belong to the report", "%s: the folder holds more than %d files", name, mostInFolder)
			default:
				files = append(files, at)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, badUsage("give the files of a report, or the folder that `paysandbox replay FILE --to case=FOLDER` has written", "%s: the folder holds no file", name)
		}
	}
	return files, nil
}

// unpackedCase is a new folder with the files of a case that the console gave as an archive; "" for any other
// file.
func unpackedCase(file string) (folder string, err error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return "", nil // it is no archive
	}
	defer func() { _ = z.Close() }()
	called := func(name string) int {
		return slices.IndexFunc(z.File, func(f *zip.File) bool { return path.Base(f.Name) == name })
	}
	at := called("case.yaml")
	if at < 0 && called("recording.json") >= 0 { // a case that lacks it is no report
		at = called("script.json")
	}
	if at < 0 {
		return "", nil
	}
	within := path.Dir(z.File[at].Name)
	if folder, err = os.MkdirTemp("", "paysandbox-case"); err != nil {
		return "", err
	}
	left := int64(mostLoaded)
	for _, f := range z.File {
		if path.Dir(f.Name) != within || f.FileInfo().IsDir() {
			continue
		}
		name := filepath.Join(folder, filepath.Base(f.Name))
		if left, err = unpack(f, name, left); err != nil {
			break
		}
	}
	return folder, err
}

// unpack writes a file of an archive, and says how many of the bytes are left that all may have.
func unpack(f *zip.File, name string, left int64) (int64, error) {
	r, err := f.Open()
	if err != nil {
		return left, err
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(io.LimitReader(r, left+1))
	if n := int64(len(data)); err == nil && n > left {
		err = fmt.Errorf("its files are larger than %d bytes", mostLoaded)
	}
	if err != nil {
		return left, err
	}
	return left - int64(len(data)), os.WriteFile(name, data, 0o600)
}

// scrubbed is the recording without secrets and, unless they are to be kept, people's
// data, and how much was replaced. The stand-ins follow from all that was recorded, so
// that the same files make the same case, and nobody without them can try values.
func scrubbed(r recording.Recording, keepData bool) (recording.Recording, string) {
	digest := sha256.New()
	_ = json.NewEncoder(digest).Encode(r) // a recording always encodes
	s := scrub.New(digest.Sum(nil), scrub.Options{KeepData: keepData})
	clean, report := s.Recording(r), s.Report()
	if len(report.Replaced) == 0 {
		return clean, ""
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(report.Replaced)) {
		kinds = append(kinds, fmt.Sprintf("%d × %s", report.Replaced[kind], kind))
	}
	told := "Replaced by stand-ins: " + strings.Join(kinds, ", ")
	if n := len(report.Missed) + report.More; n > 0 {
		told += fmt.Sprintf("; %d places may have been missed (paysandbox scrub tells them)", n)
	}
	return clean, told
}

// storedCase makes a stored case again.
func storedCase(ctx context.Context, folder string, o replay.Options) (*replay.Case, *replay.Stored, error) {
	stored, r, script, err := replay.Load(folder)
	if err != nil {
		return nil, nil, badUsage("a case's folder is written by `paysandbox replay FILE --to case=FOLDER`", "%w", err)
	}
	o.Knobs = replay.Chosen(stored.Choices)
	c, err := replay.Again(ctx, r, script, o)
	if err == nil {
		c.Notes = append(c.Notes, stored.Unmade(c)...)
	}
	return c, &stored, err
}

// savedTape is the tape that a recording was read from, nil unless it was one alone and
// whole.
func savedTape(files []string, r *recording.Recording) (*replay.Tape, error) {
	if len(files) != 1 || r.Sources[0].Format != "tape" {
		return nil, nil
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return nil, badUsage("give a file that can be read", "%w", err)
	}
	saved, err := replay.ReadTape(source.Unzipped(data)) // as the recording was
	if err != nil {
		return nil, badUsage("export the tape again", "%s: %w", files[0], err)
	}
	return saved, nil
}

// changes tells what a stored case has come to otherwise.
func changes(stored *replay.Stored, c *replay.Case) error {
	if stored == nil {
		return nil
	}
	if list := stored.Changed(c); len(list) > 0 {
		return &verdictError{code: verdict.CodeFailed, text: fmt.Sprintf("the case %q has changed:\n  %s", stored.Title, strings.Join(list, "\n  "))}
	}
	return nil
}

// learntChoices are the choices of a file, each NAME=VALUE, sorted.
func learntChoices(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	text, err := readAtMost(file, mostFlags)
	if err != nil {
		return nil, badUsage("give a file of YAML that can be read", "--choices: %w", err)
	}
	var learnt struct {
		Choices map[string]string `yaml:"choices"`
	}
	if err := yaml.Load(text, &learnt); err != nil || len(learnt.Choices) == 0 {
		return nil, badUsage("write `choices:` with a line such as `list-order: reversed` for each", "--choices %s: the file tells no choices", file)
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(learnt.Choices)) {
		list = append(list, name+"="+learnt.Choices[name])
	}
	return list, nil
}
