package wire

import (
	"reflect"
	"strconv"
	"strings"
)

// frame is one step of the way from the body to a value. Frames live on the
// stack; a pointer is spelt only when a finding needs it.
type frame struct {
	parent *frame
	name   string
	index  int // the element's number, or -1 for a member
	depth  int // brackets that enclose the value's inside
}

// object reads the object that begins at i into dst and gives the position
// after it. Types do not contain themselves, so only what no field takes can
// be nested too deep: skip sees to that.
func (d *decoder) object(p *plan, dst reflect.Value, i int, at *frame) int {
	var seen uint64
	next := 0
	i = d.space(i + 1)
	for d.text[i] != '}' {
		end, escaped := d.stringEnd(i)
		name := d.unquote(i, end, escaped)
		i = d.space(d.space(end) + 1)
		if n := p.find(name, next, d.opt.CamelOnly); n < 0 {
			i = d.unknown(p, name, i, at)
		} else {
			i = d.member(&p.fields[n], seen&(1<<n) != 0, dst, i, at)
			seen |= 1 << n
			next = n + 1
		}
		if d.deep >= 0 {
			return i
		}
		i = d.next(i)
	}
	return i + 1
}

// next steps over white space and a comma after a member or an element.
func (d *decoder) next(i int) int {
	i = d.space(i)
	if d.text[i] == ',' {
		return d.space(i + 1)
	}
	return i
}

// member reads the value at i for a known field.
func (d *decoder) member(f *field, again bool, obj reflect.Value, i int, at *frame) int {
	here := frame{parent: at, name: f.name, index: -1, depth: at.depth + 1}
	var end int
	switch {
	case again:
		end = d.duplicate(&f.value, i, &here)
	case f.list:
		end = d.list(&f.value, place(obj, f.index), i, &here)
	default:
		end = d.value(&f.value, place(obj, f.index), i, &here)
	}
	if f.mask {
		d.span(i, end)
	}
	return end
}

// place is the struct field at index.
func place(obj reflect.Value, index []int) reflect.Value {
	if len(index) == 1 {
		return obj.Field(index[0])
	}
	return obj.FieldByIndex(index)
}

// value reads the value at i into dst, or reports it and skips it.
func (d *decoder) value(v *value, dst reflect.Value, i int, at *frame) int {
	c := d.text[i]
	switch {
	case c == 'n':
		return d.null(v, i, at)
	case c == '"' && v.kind == kindString:
		return d.str(v, dst, i)
	case v.kind == kindInt && (c == '"' || c == '-' || isDigit(c)):
		return d.integer(v, dst, i, at)
	case v.kind == kindBool && (c == 't' || c == 'f'):
		d.target(v, dst).SetBool(c == 't')
		return d.scalarEnd(i)
	case c == '{' && v.kind == kindStruct:
		return d.object(v.sub, d.target(v, dst), i, at)
	case c == '{' && v.kind == kindRaw:
		return d.raw(v, dst, i, at)
	}
	return d.mismatch(v, i, at)
}

// list reads the array at i into the slice dst. Elements that cannot be taken
// stay zero, so that positions agree with those in the body.
func (d *decoder) list(v *value, dst reflect.Value, i int, at *frame) int {
	if d.text[i] == 'n' {
		return i + len("null")
	}
	if d.text[i] != '[' {
		return d.mismatch(v, i, at)
	}
	element := *v
	element.list = false
	dst.Set(reflect.MakeSlice(dst.Type(), 0, 0))
	i = d.space(i + 1)
	n := 0
	for ; d.text[i] != ']'; n++ {
		i = d.element(&element, dst, n, i, at)
		if d.deep >= 0 {
			return i
		}
		i = d.next(i)
	}
	if n > maxElements {
		d.tooLong(n, at)
	}
	return i + 1
}

// element reads the nth element of a list.
func (d *decoder) element(v *value, dst reflect.Value, n, i int, at *frame) int {
	if n >= maxElements {
		return d.skip(i, at.depth+1, !v.mask)
	}
	if n == dst.Cap() {
		dst.Grow(4)
	}
	dst.SetLen(n + 1)
	here := frame{parent: at, index: n, depth: at.depth + 1}
	if d.text[i] == 'n' {
		return d.mismatch(v, i, &here)
	}
	return d.value(v, dst.Index(n), i, &here)
}

// target is where the value goes: dst, or the new value that dst points to.
func (d *decoder) target(v *value, dst reflect.Value) reflect.Value {
	if !v.ptr {
		return dst
	}
	if v.typ == reflect.TypeFor[string]() {
		dst.Set(reflect.ValueOf(d.newString()))
	} else {
		dst.Set(reflect.New(v.typ))
	}
	return dst.Elem()
}

// newString gives an empty string out of a slab: one allocation for many.
func (d *decoder) newString() *string {
	if len(d.slab) == 0 {
		d.slab = make([]string, 16)
	}
	s := &d.slab[0]
	d.slab = d.slab[1:]
	return s
}

// pointer spells the RFC 6901 pointer of a frame.
func (f *frame) pointer() string {
	return string(f.appendPointer(nil))
}

func (f *frame) appendPointer(b []byte) []byte {
	if f.parent == nil {
		return b
	}
	b = append(f.parent.appendPointer(b), '/')
	if f.index >= 0 {
		return strconv.AppendInt(b, int64(f.index), 10)
	}
	return appendPointerToken(b, clip(f.name, maxShown))
}

// maxShown and maxPointer bound what a pointer says, in bytes: a name can be as long
// as the body, and a pointer goes into the answer and onto the tape.
const (
	maxShown   = 100
	maxPointer = 500
)

// clip is the beginning of a foreign text, which says that it is not all.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// appendPointerToken appends one escaped reference token.
func appendPointerToken(b []byte, name string) []byte {
	for i := range len(name) {
		switch name[i] {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = append(b, name[i])
		}
	}
	return b
}
