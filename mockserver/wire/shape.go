package wire

import "strings"

// Shape is how an answer's JSON text differs from its plain form. The zero
// value is the plain form. Free-form objects, which are the values of members
// named metadata, keep theirs.
type Shape struct {
	// Pascal writes member names with an upper-case first letter.
	Pascal bool
	// Extra adds one harmless member to the outermost object.
	Extra bool
	// Shuffle writes the members of each object in an order drawn from Seed.
	Shuffle bool
	// Seed chooses the order; the same seed gives the same order.
	Seed uint64
	// DropNull leaves members out whose value is null.
	DropNull bool
}

const (
	extraName  = `"sandboxExtra"`
	extraValue = `"a client must ignore members that it does not know"`
	freeForm   = "metadata"
)

// active reports whether there is anything to do.
func (s Shape) active() bool { return s.Pascal || s.Extra || s.Shuffle || s.DropNull }

// append appends compact JSON text in this shape.
func (s Shape) append(dst []byte, text string) []byte {
	r := reshaper{Shape: s, text: text, state: s.Seed}
	dst, _ = r.value(dst, 0, s.Extra)
	return dst
}

// reshaper writes JSON text, which encoding/json made, anew.
type reshaper struct {
	Shape
	text  string
	state uint64
}

// pair is one member: its quoted name and where its value begins in the text,
// or the value itself.
type pair struct {
	name, literal string
	at            int
}

// value writes the value at i and gives the position after it.
func (r *reshaper) value(dst []byte, i int, extra bool) ([]byte, int) {
	switch r.text[i] {
	case '{':
		return r.object(dst, i, extra)
	case '[':
		return r.array(dst, i)
	}
	end := r.end(i)
	return append(dst, r.text[i:end]...), end
}

// array writes the array at i.
func (r *reshaper) array(dst []byte, i int) ([]byte, int) {
	dst = append(dst, '[')
	for i++; r.text[i] != ']'; {
		if r.text[i] == ',' {
			dst = append(dst, ',')
			i++
		}
		dst, i = r.value(dst, i, false)
	}
	return append(dst, ']'), i + 1
}

// object writes the object at i.
func (r *reshaper) object(dst []byte, i int, extra bool) ([]byte, int) {
	pairs, end := r.pairs(i)
	if extra {
		pairs = append(pairs, pair{name: extraName, literal: extraValue})
	}
	if r.Shuffle {
		r.shuffle(pairs)
	}
	dst = append(dst, '{')
	for n, p := range pairs {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(r.appendName(dst, p.name), ':')
		switch {
		case p.literal != "":
			dst = append(dst, p.literal...)
		case strings.EqualFold(p.name[1:len(p.name)-1], freeForm):
			dst = append(dst, r.text[p.at:r.end(p.at)]...)
		default:
			dst, _ = r.value(dst, p.at, false)
		}
	}
	return append(dst, '}'), end
}

// pairs lists the members of the object at i that are to be written.
func (r *reshaper) pairs(i int) ([]pair, int) {
	var list []pair
	for i++; r.text[i] != '}'; {
		if r.text[i] == ',' {
			i++
		}
		colon := r.end(i)
		p := pair{name: r.text[i:colon], at: colon + 1}
		i = r.end(p.at)
		if !r.DropNull || r.text[p.at] != 'n' {
			list = append(list, p)
		}
	}
	return list, i + 1
}

// appendName writes a quoted member name.
func (r *reshaper) appendName(dst []byte, name string) []byte {
	n := len(dst)
	dst = append(dst, name...)
	if c := dst[n+1]; r.Pascal && 'a' <= c && c <= 'z' {
		dst[n+1] = c - 'a' + 'A'
	}
	return dst
}

// end gives the position after the value at i.
func (r *reshaper) end(i int) int {
	depth := 0
	for {
		switch c := r.text[i]; c {
		case '"':
			i = endOfString(r.text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':':
			i++
		default:
			for i < len(r.text) && strings.IndexByte(",]}", r.text[i]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

// shuffle puts the members into an order that the state gives.
func (r *reshaper) shuffle(pairs []pair) {
	for i := len(pairs) - 1; i > 0; i-- {
		j := int(r.draw() % uint64(i+1)) //nolint:gosec // below i+1
		pairs[i], pairs[j] = pairs[j], pairs[i]
	}
}

// draw gives the next number of the splitmix64 sequence.
func (r *reshaper) draw() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
