package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// encoded finds secrets that are known by their values where they are written in another way:
// in Base64 of either alphabet, alone or with something around them, in hexadecimal digits, or
// with escapes of addresses or of JSON. A text is looked at in one pass, at each step-th byte.
// What was struck of one is found again.
type encoded struct {
	patterns []pattern
	windows  []window // in ascending order
	bits     [windowBits / 64]uint64
	step     int
	// escaped are the secrets themselves, for texts whose escapes were read.
	escaped []pattern
}

// pattern is what a secret reads as, and what stands in its place.
type pattern struct {
	find, with string
	// tail says which bytes behind it are struck, too: those of an access token.
	tail func(c byte) bool
}

// window is four bytes of a pattern, from a byte of it on: they, the pattern's number and the byte's, the foremost bits first, as
// numbers are sorted fast.
type window uint64

func newWindow(text uint32, pattern uint16, at uint8) window {
	return window(text)<<32 | window(pattern)<<16 | window(at)
}

func (w window) text() uint32 { return uint32(w >> 32) }
func (w window) pattern() int { return int(w >> 16 & 0xffff) }
func (w window) at() int      { return int(w & 0xff) }

const (
	windowSize = 4
	windowBits = 16384
	maxStep    = 16
)

// encodedOf finds the given secrets. It does not change.
func encodedOf(secrets []string) *encoded {
	e := &encoded{}
	e.addTokens()
	for _, s := range secrets {
		if headOf(s) == 0 {
			e.add(s)
		}
	}
	e.index()
	return e
}

// encodedTokens finds access tokens alone: it is the same for all who know no secret yet.
var encodedTokens = sync.OnceValue(func() *encoded { return encodedOf(nil) })

func (e *encoded) add(secret string) {
	shown := disguised(secret)
	for _, p := range [...]pattern{{find: secret, with: shown}, {find: shown, with: shown}} {
		e.escaped = append(e.escaped, p)
		for _, coding := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for before := range 3 {
				e.pattern(inBase64(coding, p.find, before), inBase64(coding, p.with, before))
			}
		}
		find, with := hex.EncodeToString([]byte(p.find)), hex.EncodeToString([]byte(p.with))
		e.pattern(find, with)
		e.pattern(strings.ToUpper(find), strings.ToUpper(with))
	}
}

// addTokens finds access tokens, ours and others', by how the first part of nearly all begins.
// What follows is struck: in Base64 its parts are not seen.
func (e *encoded) addTokens() {
	for _, head := range [...]string{`{"alg":"HS`, `{"alg":"RS`, `{"alg":"ES`, `{"alg":"PS`, `{"alg":"Ed`, `{"typ":"JWT"`} {
		written := inBase64(base64.RawURLEncoding, head, 0)
		for before := range 3 {
			find := inBase64(base64.RawStdEncoding, written, before)
			e.patterns = append(e.patterns, pattern{find, find, isBase64})
		}
		find := hex.EncodeToString([]byte(written))
		e.patterns = append(e.patterns, pattern{find, find, isHex}, pattern{strings.ToUpper(find), strings.ToUpper(find), isHex})
	}
}

func isBase64(c byte) bool { return isAlnum(c) || strings.IndexByte("+/-_", c) >= 0 }

func (e *encoded) pattern(find, with string) {
	if !slices.ContainsFunc(e.patterns, func(p pattern) bool { return p.find == find }) {
		e.patterns = append(e.patterns, pattern{find: find, with: with})
	}
}

// inBase64 is what a text reads as behind so many bytes, without the signs that what stands
// around it has a part in: at most six bits of it at either end.
func inBase64(coding *base64.Encoding, text string, before int) string {
	all := coding.EncodeToString(append(make([]byte, before, before+len(text)), text...))
	return all[(8*before+5)/6 : 8*(before+len(text))/6]
}

// index notes the windows at which a step comes by whatever of the patterns is there.
func (e *encoded) index() {
	e.step = maxStep
	for _, p := range e.patterns {
		e.step = min(e.step, len(p.find)-windowSize+1)
	}
	e.windows = make([]window, 0, len(e.patterns)*e.step)
	for n, p := range e.patterns {
		for at := range e.step {
			text := windowAt(p.find, at)
			e.windows = append(e.windows, newWindow(text, uint16(n), uint8(at)))
			e.bits[windowBit(text)/64] |= 1 << (windowBit(text) % 64)
		}
	}
	slices.Sort(e.windows)
}

func windowAt[T string | []byte](text T, at int) uint32 {
	_ = text[at+3]
	return uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24
}

// windowBit spreads windows over the bits.
func windowBit(text uint32) uint32 { return text * 2654435761 >> 18 }

// next finds the first pattern in a text from a place on; nil for none.
func next[T string | []byte](e *encoded, text T, from int) (start int, found *pattern) {
	for at := from; at+windowSize <= len(text); at += e.step {
		w := windowAt(text, at)
		if bit := windowBit(w); e.bits[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		n, _ := slices.BinarySearch(e.windows, newWindow(w, 0, 0))
		for ; n < len(e.windows) && e.windows[n].text() == w; n++ {
			p := &e.patterns[e.windows[n].pattern()]
			begin := at - e.windows[n].at()
			if begin < from || begin+len(p.find) > len(text) || string(text[begin:begin+len(p.find)]) != p.find {
				continue
			}
			if found == nil || begin < start {
				start, found = begin, p
			}
		}
		if found != nil {
			return start, found
		}
	}
	return 0, nil
}

// in says whether a text holds a secret that is written in another way.
func (e *encoded) in(text string) bool {
	if _, found := next(e, text, 0); found != nil {
		return true
	}
	return mayEscape(text) && e.struckEscapes(text) != nil
}

func (e *encoded) inBytes(body []byte) bool {
	if _, found := next(e, body, 0); found != nil {
		return true
	}
	return mayEscape(body) && e.struckEscapes(string(body)) != nil
}

// struck is a text without them, of the same length.
func (e *encoded) struck(text string) []byte {
	b := []byte(text)
	if mayEscape(text) {
		if without := e.struckEscapes(text); without != nil {
			b = without
		}
	}
	for at := 0; ; {
		start, found := next(e, b, at)
		if found == nil {
			return b
		}
		at = start + copy(b[start:], found.with)
		for ; found.tail != nil && at < len(b) && found.tail(b[at]); at++ {
			b[at] = '1' // of both alphabets
		}
	}
}

// mayEscape says whether a text may have escapes that stand for plain characters.
func mayEscape[T string | []byte](text T) bool {
	switch text := any(text).(type) {
	case string:
		return strings.IndexByte(text, '%') >= 0 || strings.Contains(text, `\u`)
	case []byte:
		return bytes.IndexByte(text, '%') >= 0 || bytes.Contains(text, []byte(`\u`))
	}
	return false
}

// struckEscapes is a text without the secrets that are written with escapes, or in another way
// and those with escapes; nil when there are none. An escape of a percent sign may be one of
// an address within an address.
func (e *encoded) struckEscapes(text string) (struck []byte) {
	for _, within := range [...]bool{false, true} {
		if within && !strings.Contains(text, "%25") {
			break
		}
		plain, changed := unescaped(text, within)
		if !changed {
			return nil
		}
		read := string(plain.text)
		strike := func(at int, p *pattern) {
			if plain.at[at+len(p.find)]-plain.at[at] == len(p.find) { // without escapes it is another's
				return
			}
			if struck == nil {
				struck = []byte(text)
			}
			for n := range len(p.with) {
				writeUnit(struck[plain.at[at+n]:plain.at[at+n+1]], p.with[n], within)
			}
		}
		for i := range e.escaped {
			p := &e.escaped[i]
			for at := strings.Index(read, p.find); at >= 0; {
				strike(at, p)
				from := at + len(p.find)
				if at = strings.Index(read[from:], p.find); at >= 0 {
					at += from
				}
			}
		}
		for at, p := next(e, read, 0); p != nil; at, p = next(e, read, at+len(p.find)) {
			strike(at, p)
		}
	}
	return struck
}

// unescaped reads the escapes of addresses and of JSON in a text that stand for a character
// of ASCII; those within an address within an address, too.
func unescaped(text string, within bool) (s spelt, changed bool) {
	s = spelt{make([]byte, 0, len(text)), make([]int, 0, len(text)+1)}
	for i := 0; i < len(text); {
		c, size := escape(text[i:], within)
		changed = changed || size > 1
		s.text, s.at = append(s.text, c), append(s.at, i)
		i += size
	}
	s.at = append(s.at, len(text))
	return s, changed
}

// escape is the character that a text begins with, and how many bytes it takes.
func escape(text string, within bool) (c byte, size int) {
	switch {
	case text[0] == '%' && len(text) > 2:
		size = len("%41")
		for within && strings.HasPrefix(text[size-2:], "25") && len(text) > size+1 && isHex(text[size]) && isHex(text[size+1]) {
			size += len("25")
		}
	case strings.HasPrefix(text, `\u00`) && len(text) > 5:
		size = len(`\u0041`)
	default:
		return text[0], 1
	}
	if !isHex(text[size-2]) || !isHex(text[size-1]) {
		return text[0], 1
	}
	n, _ := strconv.ParseUint(text[size-2:size], 16, 8)
	return byte(n), size
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// writeUnit writes a character as it was written there: plainly, or by the last two
// hexadecimal digits of an escape.
func writeUnit(unit []byte, c byte, within bool) {
	if was, _ := escape(string(unit), within); was == c {
		return
	}
	if len(unit) == 1 {
		unit[0] = c
		return
	}
	const digits = "0123456789abcdef"
	unit[len(unit)-2], unit[len(unit)-1] = digits[c>>4], digits[c&0xF]
}
