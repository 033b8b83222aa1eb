package wire

import (
	"reflect"
	"strings"
	"sync"

	"paysandbox/mockserver/secret"
)

// kind is how one JSON value is read.
type kind uint8

const (
	kindString kind = iota
	kindInt
	kindBool
	kindStruct
	kindRaw
)

// value says how the value of a member, or of an element, is read.
type value struct {
	kind  kind
	bits  int  // 32 or 64 for kindInt
	ptr   bool // the Go value is a pointer to typ
	list  bool // the Go value is a slice of such values
	mask  bool
	cents bool         // an amount, told as such
	typ   reflect.Type // the Go type without pointer and slice
	sub   *plan        // for kindStruct
}

// field is one member that a struct takes.
type field struct {
	name  string
	index []int
	value
}

// plan is the compiled form of one struct type.
type plan struct {
	fields  []field
	exact   map[string]int
	folded  map[string]int
	secrets *secret.Names // of the whole tree; set on the root only
}

// maxFields bounds a struct so that one word can say which members were seen.
const maxFields = 64

// plans caches the plan of each target type.
var plans sync.Map // reflect.Type → *plan

// planOf gives the plan of a pointer-to-struct type, compiling it once.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		panic("wire: " + t.String() + " is not a pointer to a struct")
	}
	p := compile(t.Elem(), nil)
	p.secrets = &secret.Names{}
	collectNames(p.secrets, p)
	actual, _ := plans.LoadOrStore(t, p)
	return actual.(*plan)
}

// compile makes the plan of a struct type; outer are the types around it.
func compile(t reflect.Type, outer []reflect.Type) *plan {
	for _, o := range outer {
		if o == t {
			panic("wire: " + t.String() + " contains itself")
		}
	}
	p := &plan{exact: map[string]int{}, folded: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || (f.Anonymous && name == "") {
			continue
		}
		if name == "" {
			panic("wire: " + t.String() + "." + f.Name + " has no json tag")
		}
		p.add(field{name: name, index: f.Index, value: valueOf(f, append(outer, t))})
	}
	return p
}

// add puts a field into the plan and its two indexes.
func (p *plan) add(f field) {
	low := strings.ToLower(f.name)
	if _, twice := p.folded[low]; twice || len(p.fields) == maxFields || len(low) > maxName {
		panic("wire: member " + f.name + " is there twice, too long, or one too many")
	}
	p.exact[f.name] = len(p.fields)
	p.folded[low] = len(p.fields)
	p.fields = append(p.fields, f)
}

// valueOf says how a field is read.
func valueOf(f reflect.StructField, outer []reflect.Type) value {
	v := value{mask: f.Tag.Get("mask") == "true", cents: f.Tag.Get("unit") == "cents", typ: f.Type}
	v.ptr, v.list = f.Type.Kind() == reflect.Pointer, f.Type.Kind() == reflect.Slice
	if v.ptr || v.list {
		v.typ = f.Type.Elem()
	}
	v.kind, v.bits = kindOf(v.typ, f)
	if v.kind == kindStruct {
		v.sub = compile(v.typ, outer)
	}
	if (v.mask && v.kind != kindString) || (v.list && v.kind != kindString && v.kind != kindStruct) {
		panic("wire: field " + f.Name + " has a tag or a list that its type cannot have")
	}
	return v
}

// kindOf gives the kind of a type without pointer and slice.
func kindOf(t reflect.Type, f reflect.StructField) (kind, int) {
	switch t.Kind() {
	case reflect.String:
		if f.Tag.Get("wire") == "raw" {
			return kindRaw, 0
		}
		return kindString, 0
	case reflect.Int64, reflect.Int32:
		return kindInt, t.Bits()
	case reflect.Bool:
		return kindBool, 0
	case reflect.Struct:
		return kindStruct, 0
	default:
		panic("wire: field " + f.Name + " has unsupported type " + f.Type.String())
	}
}

// maxName is the longest member name, in bytes, that a struct can have.
const maxName = 64

// find gives the position of the field that takes a member, or -1. The member
// that follows the last one found is tried first: most bodies keep the order.
func (p *plan) find(name string, next int, camelOnly bool) int {
	if next < len(p.fields) && p.fields[next].name == name {
		return next
	}
	if i, ok := p.exact[name]; ok {
		return i
	}
	if camelOnly || len(name) > maxName {
		return -1
	}
	var low [maxName]byte
	if i, ok := p.folded[string(fold(low[:0], name))]; ok {
		return i
	}
	return -1
}

// fold appends name with its ASCII letters in lower case.
func fold(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
