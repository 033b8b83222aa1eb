// Package pack makes one file of what a verdict rests on, to be sent: a zip archive with
// the report, the tape, what people have put their names to, the signature, and a
// manifest with the choices, the gate and the digests of all of them. It judges nothing,
// and reads no file but the archive.
package pack

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Format is the name and version of the archive's form.
const Format = "paysandbox-pack/1"

// The files of an archive; all but the first three may be missing.
const (
	ManifestName  = "pack.json"
	ReportName    = "report.json"
	TapeName      = "tape.jsonl"
	AttestName    = "attest.yaml"
	WaiversName   = "waivers.yaml"
	StatementName = "report.json.intoto.json"
	SignatureName = "report.json.intoto.json.sig"
	MinisignName  = "report.json.intoto.json.minisig"
)

// names are the files besides the manifest, in their order.
func names() []string {
	return []string{ReportName, TapeName, AttestName, WaiversName, StatementName, SignatureName, MinisignName}
}

// Manifest says what is packed.
type Manifest struct {
	Format string `json:"format"`
	// Tool and Version have packed it.
	Tool    string `json:"tool"`
	Version string `json:"version"`
	// Subject is the build that was judged, Environment where, and Choices are the knobs
	// that were set otherwise than by default, as "name=value".
	Subject     string   `json:"subject,omitempty"`
	Environment string   `json:"environment,omitempty"`
	Choices     []string `json:"choices"`
	// Gate is how it was judged.
	Gate Gate `json:"gate"`
	// Files are those of the archive with their digests.
	Files []File `json:"files"`
}

// Gate is how a tape was judged: the flags of the same names.
type Gate struct {
	Clauses        []string `json:"clauses,omitempty"`
	AllowUnreached bool     `json:"allowUnreached,omitempty"`
	FailOn         string   `json:"failOn,omitempty"`
	Label          string   `json:"label,omitempty"`
	ValidFor       string   `json:"validFor,omitempty"`
}

// File is one file by its digest, lower-case hex.
type File struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// ErrRead means that an archive is none of ours, or does not hold what it says. It comes
// wrapped.
var ErrRead = errors.New("read a pack")

// The most bytes that are read of a tape, a report, and anything else.
const (
	maxTape   = 512 << 20
	maxReport = 32 << 20
	maxOther  = 1 << 20
)

// Write writes an archive. The same files give the same bytes. Files that are not named
// as above are an error.
func Write(to io.Writer, m Manifest, files map[string][]byte) error {
	m.Format, m.Files = Format, nil
	for _, name := range names() {
		if text, there := files[name]; there {
			m.Files = append(m.Files, File{Name: name, Size: len(text), SHA256: digest(text)})
		}
	}
	if len(m.Files) != len(files) {
		return fmt.Errorf("pack %d files: a pack holds %v only", len(files), names())
	}
	told, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	archive := zip.NewWriter(to)
	if err := put(archive, ManifestName, append(told, '\n')); err != nil {
		return err
	}
	for _, f := range m.Files {
		if err := put(archive, f.Name, files[f.Name]); err != nil {
			return err
		}
	}
	return archive.Close()
}

func put(archive *zip.Writer, name string, text []byte) error {
	w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Read reads an archive of so many bytes and holds its files to their digests. The error
// wraps ErrRead.
func Read(from io.ReaderAt, size int64) (Manifest, map[string][]byte, error) {
	var m Manifest
	archive, err := zip.NewReader(from, size)
	if err != nil {
		return m, nil, fmt.Errorf("%w: it is no zip archive: %w", ErrRead, err)
	}
	if len(archive.File) > len(names())+1 {
		return m, nil, fmt.Errorf("%w: it has %d files, a pack has %d at most", ErrRead, len(archive.File), len(names())+1)
	}
	files := map[string][]byte{}
	for _, f := range archive.File {
		if f.Name != ManifestName && !slices.Contains(names(), f.Name) || files[f.Name] != nil {
			return m, nil, fmt.Errorf("%w: %q is no file of a pack, or stands there twice", ErrRead, f.Name)
		}
		if files[f.Name], err = take(f); err != nil {
			return m, nil, fmt.Errorf("%w: %s: %w", ErrRead, f.Name, err)
		}
	}
	if err := json.Unmarshal(files[ManifestName], &m); err != nil {
		return m, nil, fmt.Errorf("%w: %s: %w", ErrRead, ManifestName, err)
	}
	delete(files, ManifestName)
	return m, files, m.check(files)
}

// mostPacked is how many times smaller than it is a file of more than plainSize bytes may be
// packed: tapes are some 20 times smaller, and what a few bytes can make us read has a bound.
const (
	mostPacked = 200
	plainSize  = 1 << 20
)

// The errors of take.
var (
	errTooLarge = errors.New("it is too large")
	errBomb     = fmt.Errorf("it is packed more than %d times smaller than it is, as no tape or report is", mostPacked)
)

// take reads one file of an archive, after what the archive says of its size.
func take(f *zip.File) ([]byte, error) {
	most := uint64(maxOther)
	switch f.Name {
	case TapeName:
		most = maxTape
	case ReportName:
		most = maxReport
	}
	size := f.UncompressedSize64
	switch {
	case size > most:
		return nil, errTooLarge
	case size > plainSize && size/mostPacked > f.CompressedSize64:
		return nil, errBomb
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	into := bytes.NewBuffer(make([]byte, 0, min(size, f.CompressedSize64, plainSize)))
	switch n, err := into.ReadFrom(io.LimitReader(r, int64(size)+1)); { //nolint:gosec // G115: bounded above
	case err != nil:
		return nil, err
	case n > int64(size): //nolint:gosec // G115: bounded above
		return nil, errTooLarge
	}
	return into.Bytes(), nil
}

// check holds the files to the manifest.
func (m *Manifest) check(files map[string][]byte) error {
	if m.Format != Format {
		return fmt.Errorf("%w: its format is %.60q, this program reads %q", ErrRead, m.Format, Format)
	}
	if len(m.Files) != len(files) || files[ReportName] == nil || files[TapeName] == nil {
		return fmt.Errorf("%w: it has not the files that it names, or lacks %s or %s", ErrRead, ReportName, TapeName)
	}
	for _, f := range m.Files {
		text, there := files[f.Name]
		if !there || len(text) != f.Size || digest(text) != f.SHA256 {
			return fmt.Errorf("%w: %.60q is not what the manifest says: it was changed after it was packed", ErrRead, f.Name)
		}
	}
	return nil
}
