// Package source holds what all readers of a partner's files share: a file and its
// bounds, the part of a recording that one file gives, addresses, times, variables,
// and errors that say where a file is broken. It knows no format.
package source

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The bounds of what is read. What is beyond them is told, never dropped silently.
const (
	// MaxFile is the largest file, in bytes.
	MaxFile = 256 << 20
	// MaxEntries is how many entries of one file are read.
	MaxEntries = 100_000
	// MaxBody is the largest body that is kept, in bytes.
	MaxBody = 16 << 20
	// MaxNesting is how deep folders, loops and values may nest.
	MaxNesting = 64
	// MaxSkipped is how many things one file may have left out one by one; the rest is counted.
	MaxSkipped = 1_000
	// MaxHeader is how many headers a message may have, and MaxAddress the longest address.
	MaxHeader  = 1_000
	MaxAddress = 64 << 10
)

// File is one file as it was given.
type File struct {
	// Name is the name that it was given under.
	Name string
	// Data is all that is in it.
	Data []byte
	// Lines are those of the file that was given of which each line of the data was made, from 1; nil where they are the same.
	Lines []int
}

// Unzipped is the content of a file that gzip has packed, as far as it can be unpacked and
// is not larger than a file may be; any other as it is.
func Unzipped(data []byte) []byte {
	if !bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		return data
	}
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return data
	}
	plain, _ := io.ReadAll(io.LimitReader(packed, MaxFile)) // one that breaks off is read as far as it goes
	return plain
}

// Text is the file as UTF-8 without a byte order mark: Fiddler writes one, and a
// PowerShell redirection writes UTF-16.
func (f *File) Text() []byte {
	switch {
	case bytes.HasPrefix(f.Data, []byte("\xef\xbb\xbf")):
		return f.Data[3:]
	case bytes.HasPrefix(f.Data, []byte("\xff\xfe")):
		return fromUTF16(f.Data[2:], binary.LittleEndian)
	case bytes.HasPrefix(f.Data, []byte("\xfe\xff")):
		return fromUTF16(f.Data[2:], binary.BigEndian)
	case wide(f.Data, 1):
		return fromUTF16(f.Data, binary.LittleEndian)
	case wide(f.Data, 0):
		return fromUTF16(f.Data, binary.BigEndian)
	default:
		return f.Data
	}
}

// Head is the beginning of that, of so many bytes at most.
func (f *File) Head(most int) []byte {
	text := f.Text()
	return text[:min(len(text), most)]
}

// wide says whether data is UTF-16 without a mark: of each pair of its first bytes one is 0, always the same.
func wide(data []byte, zero int) bool {
	const looked = 64
	if len(data) < looked {
		return false
	}
	for i, c := range data[:looked] {
		if (c == 0) != (i%2 == zero) {
			return false
		}
	}
	return true
}

// InLetters is a text in UTF-8 that is in other letters, as a mail says of it. What has a mark, or is UTF-8 already, stays as it is.
func InLetters(data []byte, charset string) []byte {
	switch charset = strings.ToLower(charset); {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return data
	case charset == "utf-16le":
		return fromUTF16(data, binary.LittleEndian)
	case charset == "utf-16" || charset == "utf-16be": // without a mark the greater half stands first
		return fromUTF16(data, binary.BigEndian)
	case (charset == "iso-8859-1" || charset == "iso-8859-15" || charset == "windows-1252") && !utf8.Valid(data):
		letters := make([]rune, len(data))
		for i, c := range data {
			letters[i] = rune(c)
		}
		return []byte(string(letters))
	default:
		return data
	}
}

func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// LineOf is the number of the line that the byte at an offset stands in, from 1.
func LineOf(text []byte, offset int) int {
	offset = max(0, min(offset, len(text)))
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}

// Encoded is the JSON of a value, on one line; nil for one that has none.
func Encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// Compact is JSON without spaces between its parts; what is no JSON stays as it is.
func Compact(body []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return body
	}
	return b.Bytes()
}
