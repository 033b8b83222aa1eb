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
// a row stands in it. A dump begins at 0, and each row where the one before it ends.
func undumped(text []byte) []byte {
	if !bytes.Contains(text, []byte("0000")) {
		return nil
	}
	var out, block bytes.Buffer
	rows, found := 0, false
	flush := func() {
		out.Write(block.Bytes())
		if rows > 0 {
			out.WriteByte('\n')
		}
		block.Reset()
		rows = 0
	}
	for line := range bytes.Lines(text) {
		row := dumped().FindSubmatch(line[:min(len(line), 256)])
		if row == nil {
			row = logged().FindSubmatch(line[:min(len(line), 256)])
		}
		at, raw := rowOf(row)
		switch {
		case row != nil && at == 0 && len(raw) > 0:
			flush()
			block.Write(raw)
			rows = 1
		case row != nil && rows > 0 && at == block.Len():
			block.Write(raw)
			rows, found = rows+1, true
		case len(bytes.TrimSpace(line)) > 0 && frame().Match(line[:min(len(line), 256)]):
		default:
			flush()
			out.Write(line)
		}
	}
	if flush(); !found {
		return nil
	}
	return out.Bytes()
}

func rowOf(row [][]byte) (at int, raw []byte) {
	if row == nil {
		return 0, nil
	}
	n, _ := strconv.ParseUint(string(row[1]), 16, 32)
	raw, _ = hex.DecodeString(strings.ReplaceAll(string(row[2]), " ", ""))
	return int(n), raw
}
