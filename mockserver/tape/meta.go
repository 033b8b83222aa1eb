package tape

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Version is the version of the file format.
const Version = 1

// Meta is the first line of a tape file: what a fresh world needs to be fed the
// entries, and what of the tape is missing.
type Meta struct {
	// Version is the version of the file format ("tape"); 0 is written as 1.
	Version int `json:"tape"`
	// ToolVersion is the release that wrote the file.
	ToolVersion string `json:"toolVersion,omitempty"`
	// Integration is the id of the integration; empty for the default one. What it draws
	// follows from its id, too.
	Integration string `json:"integration,omitempty"`
	// Seed is the world's seed.
	Seed uint64 `json:"seed"`
	// Environment is "sandbox" or "rehearsal".
	Environment string `json:"environment,omitempty"`
	// Start is the virtual time at which the world began, in unix nanoseconds;
	// RFC 3339 in JSON.
	Start int64 `json:"start"`
	// Clock is the mode in which the virtual clock began: "real" or "manual".
	Clock string `json:"clock,omitempty"`
	// Strict is true when advisory findings were refused.
	Strict bool `json:"strict,omitempty"`
	// Surface is which operations were served: "spec", "documented" or "all".
	Surface string `json:"surface,omitempty"`
	// Latitude holds the knobs that differed from their defaults, by name;
	// sorted by name in JSON.
	Latitude map[string]string `json:"latitude,omitempty"`
	// WebhookURL is the endpoint that was registered from the start, if any.
	WebhookURL string `json:"webhookUrl,omitempty"`
	// First is the number of the first entry that is kept; 0 when there is none.
	First uint64 `json:"first,omitempty"`
	// Dropped counts the entries before First that were dropped. When it is not
	// 0, the tape says nothing about what happened before First.
	Dropped uint64 `json:"dropped,omitempty"`
	// Ending is how the file ends that the tape was read from; it is not written.
	Ending Ending `json:"-"`
	// Back is the number of the first entry of the file whose time is before what it stands
	// behind; 0 for none. A sandbox's time never goes back. It is not written.
	Back uint64 `json:"-"`
}

// Known says which value of the first line no sandbox writes, if any.
func (m Meta) Known() error {
	for _, is := range []struct{ name, value, one, other string }{
		{"environment", m.Environment, "sandbox", "rehearsal"}, {"clock", m.Clock, "real", "manual"},
	} {
		if is.value != "" && is.value != is.one && is.value != is.other {
			return fmt.Errorf("read tape: the header's %s is unknown; expected %q or %q; received %q; somebody has edited it: export the tape again", is.name, is.one, is.other, excerpt([]byte(is.value)))
		}
	}
	return nil
}

// Gap is the stretch that was dropped before the file was written.
func (m Meta) Gap() Gap {
	if m.Dropped == 0 || m.First < 2 {
		return Gap{}
	}
	return Gap{From: 1, To: m.First - 1}
}

// packings are the programs that pack files, by how what they have packed begins, and the
// encodings that are not a tape's.
var packings = []struct{ begins, says, undo string }{
	{"\x1f\x8b", "packed with gzip: unpack it first", "gunzip"},
	{"PK\x03\x04", "packed with zip: unpack it first", "unzip"},
	{"\xfd7zXZ\x00", "packed with xz: unpack it first", "unxz"},
	{"\x28\xb5\x2f\xfd", "packed with zstd: unpack it first", "unzstd"},
	{"BZh", "packed with bzip2: unpack it first", "bunzip2"},
	{"\xff\xfe", utf16, toUTF8},
	{"\xfe\xff", utf16, toUTF8},
}

const (
	utf16  = "UTF-16, as a PowerShell redirection writes it: make it UTF-8 first"
	toUTF8 = "iconv -f UTF-16 -t UTF-8"
)

// Packed says of a file that begins so with what it was packed, or how its text is encoded,
// and how that is undone; "" of any other.
func Packed(begins []byte, file string) string {
	for _, p := range packings {
		if bytes.HasPrefix(begins, []byte(p.begins)) {
			return "it is " + p.says + ": " + p.undo + " " + file
		}
	}
	return ""
}

type plainMeta Meta

// metaWire is what is not plain in JSON, and all that stands before it.
type metaWire struct {
	Version     int    `json:"tape"`
	ToolVersion string `json:"toolVersion,omitempty"`
	Seed        uint64 `json:"seed"`
	Environment string `json:"environment,omitempty"`
	Start       stamp  `json:"start"`
	plainMeta
}

// MarshalJSON writes the first line, without the line feed.
func (m Meta) MarshalJSON() ([]byte, error) {
	version := m.Version
	if version == 0 {
		version = Version
	}
	return toJSON(metaWire{version, m.ToolVersion, m.Seed, m.Environment, stamp(m.Start), plainMeta(m)})
}

// UnmarshalJSON reads what MarshalJSON writes; without the member "tape", or
// with another version than this package's, it is an error.
func (m *Meta) UnmarshalJSON(data []byte) error {
	var v struct {
		Version *int `json:"tape"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch {
	case v.Version == nil:
		return errNoHeader
	case *v.Version != Version:
		return fmt.Errorf("version %d of the tape format: %w", *v.Version, errVersion)
	}
	w, err := shaped[metaWire](data)
	*m = Meta(w.plainMeta)
	m.Version, m.ToolVersion, m.Seed, m.Environment, m.Start = w.Version, w.ToolVersion, w.Seed, w.Environment, int64(w.Start)
	return err
}
