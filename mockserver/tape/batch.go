package tape

import (
	"bytes"
	"runtime"
	"sync"
)

// The most lines that are decoded together, and the bytes after which no more are
// added to them.
const (
	batchLines = 1024
	batchBytes = 4 << 20
)

// batchLine is a line with what it was decoded to.
type batchLine struct {
	number int
	text   []byte
	entry  Entry
	err    error
}

// batch reads the next lines; none at the end. The error is about the line after them.
func (p *reader) batch() ([]batchLine, error) {
	var list []batchLine
	for size := 0; len(list) < batchLines && size < batchBytes; {
		text, err := p.next()
		if err != nil || text == nil {
			return list, err
		}
		list = append(list, batchLine{number: p.line, text: bytes.Clone(text)})
		size += len(text)
	}
	return list, nil
}

// decode decodes the entries among some lines, several at a time: that takes most of
// the time of reading a tape.
func decode(list []batchLine) {
	workers := min(runtime.GOMAXPROCS(0), len(list))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < len(list); i += workers {
				if l := &list[i]; !isEnd(l.text) {
					l.err = object(l.text, &l.entry)
				}
			}
		})
	}
	all.Wait()
}
