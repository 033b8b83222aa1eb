package feed

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/tape"
)

// Task is something that the application was told to do, as a note on the tape says.
type Task struct {
	Seq uint64 `json:"-"`
	// ID counts tasks, Do is the operation of the partner API that performs it, Say
	// tells a person, and With is what is to be sent.
	ID   int             `json:"id"`
	Do   string          `json:"do"`
	Say  string          `json:"say"`
	With json.RawMessage `json:"with"`
	// Done is the exchange that did it; 0 while it is open.
	Done uint64 `json:"-"`
	// Raw is the task as the note has it.
	Raw json.RawMessage `json:"-"`
}

// Facts are what is to be sent.
func (t *Task) Facts() (list []Fact) {
	var members map[string]any
	if json.Unmarshal(t.With, &members) != nil {
		return nil
	}
	for name, value := range members {
		text, ok := value.(string)
		if !ok {
			b, _ := json.Marshal(value) //nolint:errchkjson // it came out of JSON
			text = string(b)
		}
		list = append(list, Fact{name, text})
	}
	slices.SortStableFunc(list, func(a, b Fact) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// note is what the harness, or whoever watches, leaves on the tape.
type note struct {
	Kind string
	Text string
	Data json.RawMessage
}

// noteOf reads the note that an entry is.
func noteOf(e *tape.Entry) (n note, ok bool) {
	if e.Kind != tape.KindControl || e.Exchange == nil || e.Exchange.Operation != "addNote" {
		return n, false
	}
	return n, json.Unmarshal(e.Exchange.Request.Body, &n) == nil
}

// maxTasks bounds the tasks that are told.
const maxTasks = 200

// Tasks are the newest tasks of a tape, oldest first.
func Tasks(t Tape) (list []Task) {
	done := map[int]uint64{}
	t.Back(tape.Filter{Kinds: []tape.Kind{tape.KindControl}, Operation: "addNote"}, func(e tape.Entry) bool {
		if x := e.Exchange; x == nil || !bytes.Contains(x.Request.Body, []byte(`"task"`)) && !bytes.Contains(x.Request.Body, []byte(`"done"`)) {
			return true // most notes are none of a task: they need not be parsed
		}
		n, ok := noteOf(&e)
		switch {
		case ok && n.Kind == "done":
			var d struct {
				Task     int
				Exchange uint64
			}
			if json.Unmarshal(n.Data, &d) == nil && done[d.Task] == 0 {
				done[d.Task] = d.Exchange
			}
		case ok && n.Kind == "task":
			task := Task{Seq: e.Seq}
			if json.Unmarshal(n.Data, &task) == nil {
				task.Raw, task.Done = n.Data, done[task.ID]
				delete(done, task.ID)
				list = append(list, task)
			}
		}
		return len(list) < maxTasks
	})
	slices.Reverse(list)
	return list
}

// Who takes part in what happens.
const (
	Application = iota
	Sandbox
	People
)

// Act is one line of a story that is lived: a call, an event, a message, a remark.
type Act struct {
	Seq uint64
	// From and To say who tells whom; the same for a remark about one of them.
	From, To int
	Text     string
	// Answer is what came back.
	Answer  string
	Outcome Outcome
	// Kind is call, event, message, page, state, time, task or trouble.
	Kind string
	// Times counts equal lines in a row.
	Times int
}

// The bounds of a story: its lines, and the entries that are looked at for them.
const (
	maxActs   = 80
	storyLook = 1_500
)

// Story is the newest stretch of what is lived, oldest first.
type Story struct {
	Acts []Act
	// From is the oldest entry that was looked at, of those from First to Last; More says
	// that there are older ones.
	From, First, Last uint64
	More              bool
}

// StoryOf tells the newest entries that pass a query as a story.
func StoryOf(t Tape, q Query) Story {
	first, last := t.Bounds()
	s := Story{From: last + 1, First: first, Last: last}
	if q.Before > 0 && q.Before <= last {
		s.From = q.Before
	}
	for looked := uint64(0); s.From > first && first > 0 && looked < storyLook && len(s.Acts) < maxActs; {
		low := max(first, s.From-min(window, s.From-1))
		entries := t.Read(tape.Filter{Since: low - 1, Limit: int(s.From - low)}) //nolint:gosec // G115: at most a window.
		for n := len(entries) - 1; n >= 0 && len(s.Acts) < maxActs; n-- {
			e := &entries[n]
			if e.Seq >= s.From {
				continue
			}
			looked++
			s.From = e.Seq
			if a, ok := q.actOf(e); ok {
				s.add(a)
			}
		}
		if len(s.Acts) < maxActs {
			s.From = low
		}
	}
	s.More = s.From > first && first > 0
	slices.Reverse(s.Acts)
	return s
}

// actOf tells an entry that is asked for as a line of a story.
func (q Query) actOf(e *tape.Entry) (Act, bool) {
	a, ok := actOf(e)
	return a, ok && (q.Label == "" || q.Label == e.Label) && (Has(q.Text, a.Text, a.Answer) || q.matches(e))
}

// add puts an older act before the others; equal ones are counted together.
func (s *Story) add(a Act) {
	if n := len(s.Acts) - 1; n >= 0 {
		if l := &s.Acts[n]; l.Kind == a.Kind && l.Text == a.Text && l.Answer == a.Answer && (a.Kind == "call" || a.Kind == "event" || a.Kind == "state" && a.From == Sandbox) {
			l.Times++
			l.Seq = a.Seq
			return
		}
	}
	a.Times = 1
	s.Acts = append(s.Acts, a)
}

// actOf tells an entry as a line of a story; not all belong into one.
func actOf(e *tape.Entry) (Act, bool) {
	r := RowOf(e)
	a := Act{Seq: e.Seq, Text: r.Text, Outcome: r.Outcome, Answer: r.Badge}
	switch {
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		a.Kind, a.From, a.To, a.Answer = "call", Application, Sandbox, strings.TrimSpace(r.Badge+" "+r.Note)
	case e.Kind == tape.KindPage && e.Exchange != nil:
		a.Kind, a.From, a.To = "page", People, Sandbox
	case e.Kind == tape.KindControl && e.Exchange != nil:
		return a.control(e)
	case e.Attempt != nil:
		a.Kind, a.From, a.To, a.Text = "event", Sandbox, Application, strings.TrimSpace("event "+told(e.Attempt.Body))+" to "+pathOf(e.Attempt.URL)
		if e.Attempt.Number > 1 {
			a.Text += ", attempt " + strconv.Itoa(e.Attempt.Number)
		}
	case e.Message != nil:
		a.Kind, a.From, a.To, a.Text, a.Answer = "message", Sandbox, People, e.Message.Channel+": "+e.Message.Template, ""
	case e.Transition != nil:
		a.Kind, a.From, a.To, a.Answer = "state", Sandbox, Sandbox, r.Note
	case e.Clock != nil:
		if e.Clock.To-e.Clock.From < int64(time.Second) {
			return a, false
		}
		a.Kind, a.From, a.To, a.Answer = "time", Application, People, ""
	default:
		return a, false
	}
	return a, true
}

// control tells a note, or what somebody has pressed.
func (a Act) control(e *tape.Entry) (Act, bool) {
	n, isNote := noteOf(e)
	switch {
	case isNote && n.Kind == "task":
		a.Kind, a.From, a.To, a.Answer, a.Outcome = "task", Application, Application, "", Plain
		a.Text = n.Text
	case isNote && n.Kind == "trouble":
		a.Kind, a.From, a.To, a.Text, a.Answer, a.Outcome = "trouble", Application, People, "trouble: "+n.Text, "", Warned
	case isNote && n.Kind == "journey":
		a.Kind, a.From, a.To, a.Text, a.Answer = "time", Application, People, n.Text, ""
	case isNote:
		return a, false
	default:
		a.Kind, a.From, a.To = "state", People, People
		a.Text = "console or control: " + strings.TrimPrefix(strings.TrimPrefix(a.Text, "POST …"), "DELETE …")
	}
	return a, true
}

// pathOf is an address without its host.
func pathOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.IndexByte(rest, '/'); at >= 0 {
		return rest[at:]
	}
	return address
}
