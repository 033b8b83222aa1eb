package integration_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// notKept are the fields that a snapshot does without, and why.
var notKept = map[string]string{
	"Options.ID":           "the id is listed beside them",
	"Options.Secret":       "the process's own",
	"Options.Budget":       "the process's own",
	"Limits.Budget":        "the process's own",
	"World.cfg":            "made of the options",
	"World.body":           "scratch",
	"Core.strict":          "made of the options",
	"Core.timerNames":      "a table of the program",
	"Core.advisories":      "of the input in hand",
	"Core.records":         "of the input in hand",
	"Core.effects":         "of the input in hand",
	"random.input":         "of the input in hand",
	"random.counted":       "of the input in hand",
	"random.drawn":         "of the input in hand",
	"Arena.scratch":        "scratch",
	"attachments.kept":     "follows from the files",
	"attachments.bytes":    "follows from the files",
	"attachments.inMemory": "follows from the files",
	"attachments.outside":  "the process's own",
	"stored.digest":        "follows from the data",
	"stored.size":          "follows from the data",
	"Ledger.cfg":           "made of the options",
	"Ledger.core":          "the world's",
	"Ledger.byID":          "follows from the endpoints",
	"deliveries.index":     "follows from the deliveries",
	"deliveries.live":      "follows from the deliveries",
	"Set.mu":               "a lock",
	"Set.busy":             "follows from the faults",
	"Set.waiting":          "follows from the faults",
	"Set.revoked":          "written beside oldest",
	"secrets.of":           "gathered anew",
	"secrets.state":        "gathered anew",
	"Values.words":         "follow from the secrets",
	"Job.Epoch":            "the process's own",
	"Job.done":             "the process's own",
	"Job.landed":           "the process's own",
	"Job.Taken":            "what has been taken in is not under way",
	"Job.Attempt":          "the receiver is asked again",
	"Job.RetryAfter":       "the receiver is asked again",
	"Job.Fetch":            "the file's server is asked again",
}

// lister changes one field after the other and looks whether what is written changes.
type lister struct {
	t    *testing.T
	root kernel.Packable
	used map[string]bool
	seen int
}

// TestEveryFieldIsListed: whatever differs is written otherwise, but for what notKept
// names.
func TestEveryFieldIsListed(t *testing.T) {
	t.Parallel()
	i := registry(t, integration.Options{Clock: integration.Manual, WebhookURL: "http://127.0.0.1/hook"}).Default()
	l := &lister{t: t, root: i.Kept(), used: map[string]bool{}}
	l.visit("content", reflect.ValueOf(l.root).Elem())
	require.Greater(t, l.seen, 250, "fields were looked at")
	for name := range notKept {
		require.True(t, l.used[name], "there is no field %s any more", name)
	}
}

// change sets a field, wants other bytes, and sets it back.
func (l *lister) change(name string, v reflect.Value, to reflect.Value) {
	l.seen++
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	before := kernel.Encode(nil, l.root)
	v.Set(to)
	if bytes.Equal(before, kernel.Encode(nil, l.root)) {
		l.t.Errorf("%s is not listed", name)
	}
	v.Set(was)
}

// within sets a field, and looks at what is in it.
func (l *lister) within(v, to reflect.Value, look func()) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	v.Set(to)
	look()
	v.Set(was)
}

func (l *lister) visit(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		l.fields(name, v)
	case reflect.Pointer:
		if v.IsNil() {
			l.within(v, reflect.New(v.Type().Elem()), func() { l.visit(name, v.Elem()) })
			return
		}
		l.visit(name, v.Elem())
	case reflect.Slice:
		one := reflect.MakeSlice(v.Type(), 1, 1)
		if v.Type().Elem().Kind() == reflect.Pointer {
			one.Index(0).Set(reflect.New(v.Type().Elem().Elem()))
		}
		l.change(name, v, reflect.Append(v, one.Index(0)))
		if v.Type().Elem().Kind() != reflect.Uint8 {
			l.within(v, one, func() { l.visit(name+"[]", v.Index(0)) })
		}
	case reflect.Map:
		l.entries(name, v)
	case reflect.Array:
		l.visit(name+"[]", v.Index(v.Len()-1))
	case reflect.String:
		to := reflect.New(v.Type()).Elem()
		to.SetString(v.String() + "x")
		l.change(name, v, to)
	case reflect.Bool:
		l.change(name, v, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
	default:
		require.True(l.t, v.CanInt() || v.CanUint(), "%s is of a kind that cannot be kept: %s", name, v.Kind())
		to := reflect.New(v.Type()).Elem()
		if v.CanInt() {
			to.SetInt(v.Int() + 1)
		} else {
			to.SetUint(v.Uint() + 1)
		}
		l.change(name, v, to)
	}
}

// entries looks at the key and the value of a map with one entry.
func (l *lister) entries(name string, v reflect.Value) {
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	with := func() reflect.Value {
		m := reflect.MakeMap(v.Type())
		m.SetMapIndex(key, value)
		return m
	}
	l.change(name, v, with())
	inner := &lister{t: l.t, used: l.used, root: packed(func(k *kernel.Codec) {
		l.within(v, with(), func() { l.root.Pack(k) })
	})}
	inner.visit(name+"[key]", key)
	inner.visit(name+"[]", value)
	l.seen += inner.seen
}

type packed func(k *kernel.Codec)

func (p packed) Pack(k *kernel.Codec) { p(k) }

// fields looks at each field of a struct, private ones too.
func (l *lister) fields(name string, v reflect.Value) {
	kind := v.Type().Name()
	switch {
	case kind == "Memory" || v.Type() == reflect.TypeFor[time.Time]() || kind == "Settings":
		return // they list themselves: see TestATapeIsKept and TestOptionsAreKept
	case strings.HasPrefix(kind, "Table["):
		l.row(name, v)
		return
	case kind == "TextIndex":
		field(v, "heads").Set(reflect.ValueOf(map[uint64]uint32{7: 1}))
		l.change(name+".next", field(v, "next"), reflect.ValueOf([]uint32{0, 2}))
		field(v, "heads").SetZero()
		return
	}
	for n := range v.NumField() {
		f := v.Type().Field(n).Name
		short := kind + "." + f
		if _, not := notKept[short]; not {
			l.used[short] = true
			continue
		}
		l.visit(name+"."+f, field(v, f))
	}
}

// row looks at a new row of a table.
func (l *lister) row(name string, v reflect.Value) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	push := v.Addr().MethodByName("Push")
	before := kernel.Encode(nil, l.root)
	row := push.Call([]reflect.Value{reflect.Zero(push.Type().In(0))})[0]
	if bytes.Equal(before, kernel.Encode(nil, l.root)) {
		l.t.Errorf("%s is not listed", name)
	}
	l.visit(name+"[]", row.Elem())
	v.Set(was)
}

// field is one that can be set, whatever its name.
func field(v reflect.Value, name string) reflect.Value {
	f := v.FieldByName(name)
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// TestATapeIsKept: with its gap, and within smaller bounds.
func TestATapeIsKept(t *testing.T) {
	t.Parallel()
	m := tape.New(tape.Limits{Entries: 5})
	for seq := range uint64(9) {
		require.NoError(t, m.Append(&tape.Entry{Seq: 2*seq + 3, Kind: tape.KindTimer, At: int64(seq), Timer: &tape.Timer{Name: "x"}}))
	}
	read := tape.New(tape.Limits{Entries: 5})
	require.NoError(t, read.Load(m.AppendTo(nil)))
	for _, same := range []*tape.Memory{read, read.Within(tape.Limits{Entries: 3})} {
		require.Equal(t, m.Last(), same.Last())
		require.Equal(t, m.Gap(0).From, same.Gap(0).From)
		for e := range same.All(0, tape.Filter{}) {
			want, ok := m.Get(e.Seq)
			require.True(t, ok)
			require.Equal(t, want, e)
		}
	}
	require.Equal(t, m.AppendTo(nil), read.AppendTo(nil))
	require.Equal(t, 3, read.Within(tape.Limits{Entries: 3}).Len())
	require.Equal(t, m.Dropped()+2, read.Within(tape.Limits{Entries: 3}).Dropped())
	whole := m.AppendTo(nil)
	for n := range whole {
		require.ErrorIs(t, read.Load(whole[:n]), tape.ErrEncoding)
		require.Zero(t, read.Len())
	}
}
