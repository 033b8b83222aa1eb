package control

import (
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// The bounds of a note: of its kind and text in characters, of its data in bytes.
const (
	maxNoteKind = 64
	maxNoteText = 2_000
	maxNoteData = 64 << 10
)

// Note is a remark that an observer leaves on the tape: what it asks of a
// person, what it has seen elsewhere, what it means to do. The sandbox reads
// nothing out of it.
type Note struct {
	// Kind says what the note is, in 1 to 64 small letters and hyphens.
	Kind string `json:"kind" required:"true" pattern:"^[a-z-]{1,64}$" example:"task"`
	// Text is for people, at most 2,000 characters.
	Text string `json:"text" maxLength:"2000" example:"Create a payment of 50.00 to Dana."`
	// Data is any JSON object of at most 64 KiB, for programs.
	Data string `json:"data" wire:"raw" example:"{\"amount\":5000}"`
}

// Noted is the answer to a note.
type Noted struct{}

func noteRoutes() []*route {
	return []*route{row("addNote", http.MethodPost, Prefix+"/integrations/{i}/notes", actsWith(addNote).after(judgeNote).judging().telling(), Note{}, Noted{}).
		About("Tape", "Leave a note on the tape").
		Says("The note is an entry of kind control with the operation addNote, and its body is the request's with secrets masked. It has no other effect.")}
}

// judgeNote reads the body before the world is asked.
func judgeNote(x *exchange, body any) error {
	findings := slices.DeleteFunc(x.Call.Findings, func(f kernel.Finding) bool { return f.Advisory })
	x.Call.Findings = nil
	for _, f := range door.As[Note](body).problems() {
		if !slices.ContainsFunc(findings, func(known kernel.Finding) bool { return known.Pointer == f.Pointer }) {
			findings = append(findings, f)
		}
	}
	if len(findings) > 0 {
		return badBody(findings)
	}
	return nil
}

// addNote has nothing to do: that the call stands on the tape is all.
func addNote(*world.World, *exchange, *Note) (Noted, error) { return Noted{}, nil }

// problems are what is wrong with the members.
func (n *Note) problems() []kernel.Finding {
	var list []kernel.Finding
	refuse := func(pointer, received, expected, fix string) {
		list = append(list, wrong(pointer, "control.note", received, expected, fix))
	}
	if !noteKind(n.Kind) {
		refuse("/kind", quoted(n.Kind), "1 to 64 small letters and hyphens", "send for example task")
	}
	if length := utf8.RuneCountInString(n.Text); length > maxNoteText {
		refuse("/text", strconv.Itoa(length)+" characters", "at most 2000 characters", "send a shorter text, or put the rest into data")
	}
	if len(n.Data) > maxNoteData {
		refuse("/data", strconv.Itoa(len(n.Data))+" bytes", "at most 65536 bytes", "send less, or several notes")
	}
	return list
}

// noteKind says whether a text can name the kind of a note.
func noteKind(s string) bool {
	for i := range len(s) {
		if (s[i] < 'a' || s[i] > 'z') && s[i] != '-' {
			return false
		}
	}
	return s != "" && len(s) <= maxNoteKind
}
