package kernel

import (
	"reflect"
	"strconv"
	"strings"
)

// JSON writes values of one struct type as JSON, in the order of its members
// and by their json tags, but for empty texts that are tagged omitempty: texts, whole numbers, truth values, structs, and
// pointers to texts, which are null when nil.
type JSON[T any] struct{ fields []jsonField }

type jsonField struct {
	opening string // the comma, the name and the colon
	sub     []jsonField
	maybe   bool // an empty text is left out; never the first member
}

// NewJSON prepares the writing of a struct type. It panics on a member of
// another kind, which is a programmer's mistake.
func NewJSON[T any]() JSON[T] { return JSON[T]{jsonFields(reflect.TypeFor[T]())} }

func jsonFields(t reflect.Type) []jsonField {
	fields := make([]jsonField, t.NumField())
	for i := range fields {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if fields[i].maybe = option == "omitempty"; fields[i].maybe && i == 0 {
			panic("kernel: the first member of " + t.String() + " cannot be left out")
		}
		fields[i].opening = strconv.Quote(name) + ":"
		if i > 0 {
			fields[i].opening = "," + fields[i].opening
		}
		switch {
		case f.Type.Kind() == reflect.Struct:
			fields[i].sub = jsonFields(f.Type)
		case f.Type.Kind() == reflect.String, f.Type.Kind() == reflect.Int64, f.Type.Kind() == reflect.Bool, f.Type == reflect.TypeFor[*string]():
		default:
			panic("kernel: " + t.String() + " has a member that cannot be written: " + f.Name)
		}
	}
	return fields
}

// Append writes v behind b; numbers are written as texts when quoted.
func (j JSON[T]) Append(b []byte, v *T, quoted bool) []byte {
	return appendStruct(b, j.fields, reflect.ValueOf(v).Elem(), quoted)
}

func appendStruct(b []byte, fields []jsonField, v reflect.Value, quoted bool) []byte {
	b = append(b, '{')
	for i := range fields {
		f := v.Field(i)
		if fields[i].maybe && f.IsZero() {
			continue
		}
		b = append(b, fields[i].opening...)
		switch {
		case fields[i].sub != nil:
			b = appendStruct(b, fields[i].sub, f, quoted)
		case f.Kind() == reflect.String:
			b = appendText(b, f.String())
		case f.Kind() == reflect.Bool:
			b = strconv.AppendBool(b, f.Bool())
		case f.Kind() == reflect.Int64 && quoted:
			b = append(strconv.AppendInt(append(b, '"'), f.Int(), 10), '"')
		case f.Kind() == reflect.Int64:
			b = strconv.AppendInt(b, f.Int(), 10)
		case f.IsNil():
			b = append(b, "null"...)
		default:
			b = appendText(b, f.Elem().String())
		}
	}
	return append(b, '}')
}

// appendText writes a text as a JSON string.
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
