// Package cases holds what the console shows of a partner's files: the case that somebody
// else has made of them, and a few of those for as long as the process lives. It makes no
// case, judges nothing and reads no file.
package cases

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// File is one file as it was sent.
type File struct {
	Name string
	Data []byte
}

// Make makes a case of the files that a partner sent: HAR, curl lines, a collection and
// what else `paysandbox replay` reads. Its error says what is wrong with a file.
type Make func(ctx context.Context, files []File) (*Case, error)

// Case is what a partner's files come to.
type Case struct {
	// Name is that of the files.
	Name string
	// Side is whose fault it is, Tone its colour (good, warn or bad).
	Side, Tone string
	// Lines are five lines to paste; the others are told below them.
	Lines, Assumptions, Notes []string
	// Timeline is what happened, in order.
	Timeline []Row
	// Minimise makes the smallest case that still shows the same; nil where nothing can be
	// left out.
	Minimise func(ctx context.Context) (*Case, error)
	// Bytes is about what the case takes in memory.
	Bytes int64
	// Forms are those in which Write gives it: a file's content and its name.
	Forms []string
	Write func(form string) (content []byte, name string, err error)
}

// Row is one thing that happened.
type Row struct {
	// At is its time, UTC, and Kind what it is: call, webhook, people or time.
	At, Kind string
	// What tells it; Recorded and Replayed are what came of it on both sides.
	What, Recorded, Replayed string
	// Assumed says that no file tells it.
	Assumed bool
	// Differs are the differences, each with its class; Tone is the colour of the gravest.
	Differs []string
	Tone    string
	// Bodies are what was sent and answered.
	Bodies []Body
}

// Body is one of them, laid out; Left is how many bytes of it are not shown.
type Body struct {
	Name  string
	Lines []Line
	Left  int
}

// Line is a line of a body; Tone is the colour of the difference that shows there, "" for none.
type Line struct{ Text, Tone string }

// most is how many cases are kept: each holds what was made of at most 16 MiB of files.
const most = 3

// Shelf keeps the newest cases, in memory only. It is safe for concurrent use.
type Shelf struct {
	mu   sync.Mutex
	next int
	kept []kept
}

type kept struct {
	id   string
	made *Case
	back func()
}

// Put keeps a case and gives its id; the oldest one makes room. back is called when the
// case is kept no more: it gives back what it takes of the memory.
func (s *Shelf) Put(c *Case, back func()) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= most {
		s.kept[0].back()
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.next++
	id := strconv.Itoa(s.next)
	s.kept = append(s.kept, kept{id, c, back})
	return id
}

// Get is the case of an id, nil where it is not kept any more.
func (s *Shelf) Get(id string) *Case {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kept {
		if k.id == id {
			return k.made
		}
	}
	return nil
}

// Open are the cases that are kept, the newest first, each by its id and name.
func (s *Shelf) Open() (list [][2]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range slices.Backward(s.kept) {
		list = append(list, [2]string{k.id, k.made.Name})
	}
	return list
}

// ShortName is a file's name without where it was.
func ShortName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	return name
}

// Unpack gives what is in a file that gzip has packed where that begins so, and how many bytes
// it has, one more than most where it has more; of any other the file as it is, and 0.
func Unpack(file *bufio.Reader, begins string, most int64) (content *bufio.Reader, size int64) {
	if magic, _ := file.Peek(len(packed)); string(magic) != packed {
		return file, 0
	}
	raw, _ := io.ReadAll(io.LimitReader(file, most+1)) // what breaks off is told of where it is read
	if z, err := gzip.NewReader(bytes.NewReader(raw)); err == nil {
		content = bufio.NewReader(z)
		if first, _ := content.Peek(len(begins)); string(first) == begins {
			return content, Unpacked(raw, most)
		}
	}
	return bufio.NewReader(io.MultiReader(bytes.NewReader(raw), file)), 0
}

// packed begins what gzip has packed.
const packed = "\x1f\x8b"

// Unpacked is how many bytes a file that gzip has packed has, one more than most where it has
// more; 0 of any other. Nothing of it is kept.
func Unpacked(data []byte, most int64) int64 {
	if !bytes.HasPrefix(data, []byte(packed)) {
		return 0
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(z, most+1)) // one that breaks off is read as far as it goes
	return n
}
