package read

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
)

var (
	// dumped is a row of a dump: where it stands, and its bytes in one, two or four at a time.
	dumped = trail.Pattern(`^[| \t]*(?:0x)?([0-9a-fA-F]{4,10})[:|]?[ \t]+((?:[0-9a-fA-F]{2}){1,4}(?: {1,2}(?:[0-9a-fA-F]{2}){1,4}){0,31})(?:[ \t]{2,}|[ \t]*\||[ \t]*\r?$)`)
	// logged is such a row behind what a logger puts before each line.
	logged = trail.Pattern(`^[^\n|]{1,120}?[\]>:-][ \t]+([0-9a-fA-F]{8})[:|]?[ \t]+((?:[0-9a-fA-F]{2}){1,4}(?: {1,2}(?:[0-9a-fA-F]{2}){1,4}){0,31})(?:[ \t]{2,}|[ \t]*\|)`)
	// frame is what is drawn around dumps, and the head of their columns.
	frame = trail.Pattern(`^[ \t+|-]*(?:(?:[ \t]+0?[0-9a-f]){16}[ \t]*\|?)?[ \t+|-]*\r?$`)
)

// undumped is a text in which the bytes that dumps show stand as they are; nil where no dump of more than
// a row stands in it. A dump begins at 0, and each row where the one before it ends. Of a connection each side is counted for itself, and
// told apart by how far its rows stand from the margin: a side goes on where it was left.
func undumped(text []byte) []byte {
	if !bytes.Contains(text, []byte("0000")) {
		return nil
	}
	d := undumping{next: map[string]int{}}
	for line := range bytes.Lines(text) {
		d.line(line)
	}
	if d.flush(); !d.found {
		return nil
	}
	return d.out.Bytes()
}

// mostMargins bounds how many sides a dump tells apart.
const mostMargins = 8

// undumping is what is known while dumps are taken out of a text.
type undumping struct {
	out, block bytes.Buffer
	// side is the margin of the rows of the block, next where each side goes on.
	side string
	next map[string]int
	// rows counts those of the block; found says that a row went on where another ended.
	rows  int
	found bool
}

func (d *undumping) flush() {
	d.out.Write(d.block.Bytes())
	if d.rows > 0 {
		d.out.WriteByte('\n')
	}
	d.block.Reset()
	d.rows = 0
}

func (d *undumping) line(line []byte) {
	row := dumped().FindSubmatch(line[:min(len(line), 256)])
	margin := ""
	if row == nil {
		row = logged().FindSubmatch(line[:min(len(line), 256)])
	} else {
		margin = string(line[:len(line)-len(bytes.TrimLeft(line, "| \t"))])
	}
	at, raw := rowOf(row)
	switch {
	case len(raw) > 0 && at == 0:
		d.flush()
		d.add(margin, at, raw)
	case len(raw) > 0 && at == d.next[margin] && (d.rows > 0 || len(d.next) > 1):
		if margin != d.side || d.rows == 0 {
			d.flush()
		}
		d.add(margin, at, raw)
		d.found = true
	case len(bytes.TrimSpace(line)) > 0 && frame().Match(line[:min(len(line), 256)]):
	default:
		d.flush()
		if len(bytes.TrimSpace(line)) > 0 {
			clear(d.next)
		}
		d.out.Write(line)
	}
}

// add adds a row to the block.
func (d *undumping) add(margin string, at int, raw []byte) {
	if len(d.next) >= mostMargins {
		clear(d.next)
	}
	d.block.Write(raw)
	d.side, d.next[margin] = margin, at+len(raw)
	d.rows++
}

func rowOf(row [][]byte) (at int, raw []byte) {
	if row == nil {
		return 0, nil
	}
	n, _ := strconv.ParseUint(string(row[1]), 16, 32)
	raw, _ = hex.DecodeString(strings.ReplaceAll(string(row[2]), " ", ""))
	return int(n), raw
}
