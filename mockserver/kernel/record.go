package kernel

import "github.com/google/uuid"

// RecordKind says what a Record tells.
type RecordKind uint8

// The consequences of an input that a machine records.
const (
	// RecordTimer is a timer that fired.
	RecordTimer RecordKind = iota + 1
	// RecordTransition is a change of status.
	RecordTransition
	// RecordEvent is a webhook event with its exact body.
	RecordEvent
	// RecordMessage is an e-mail or SMS to a person.
	RecordMessage
	// RecordFindings are the findings that did not refuse the input.
	RecordFindings
)

// Record is one consequence of an input, numbered for the tape. Which fields
// are set depends on the kind.
type Record struct {
	Seq, Cause uint64
	// At is the virtual time in nanoseconds since 1970 UTC.
	At     int64
	Kind   RecordKind
	Entity uuid.UUID

	// Name is the timer's, event's or message template's name.
	Name string
	// Due is when the timer was to fire, in nanoseconds since 1970 UTC.
	Due int64

	// Machine, Event, From, To and Reason tell a transition.
	Machine, Event, From, To, Reason string

	// ID is the event's own id, and Body its exact JSON.
	ID   uuid.UUID
	Body []byte

	// Message is what a person is told.
	Message *Message
	// Findings are what the input did wrong without being refused.
	Findings []Finding
}

// Message is an e-mail or SMS before it is rendered: the template's name and
// its values. Rendering is done by whoever shows it.
type Message struct {
	// Channel is "email" or "sms".
	Channel string
	// To is the address or E.164 number.
	To string
	// Template is the name of the text; Values fill it.
	Template string
	Values   []Value
	// Bounced is true when the recipient is test data that never receives.
	Bounced bool
}

// Value is one named text of a message.
type Value struct{ Name, Text string }

// EffectKind says what the outside has to do for the machine.
type EffectKind uint8

// The effects that leave through the outbox.
const (
	// FetchAttachment asks for the file at URL, to be given back by AttachmentFetched.
	FetchAttachment EffectKind = iota + 1
	// SendDelivery asks for one attempt of the delivery ID, to be given back by
	// DeliveryAttempted.
	SendDelivery
)

// Effect is something that the outside has to do once the input is on the tape.
type Effect struct {
	Kind EffectKind
	// Cause is the tape number of what asked for it.
	Cause uint64
	ID    uuid.UUID
	URL   string
	// Second is true for the second of two attempts of a delivery at the same moment.
	Second bool
}

// Pack lists the fields.
func (e *Effect) Pack(k *Codec) {
	kind := uint8(e.Kind)
	if k.Num8s(&kind); k.Reading() {
		e.Kind = EffectKind(kind)
	}
	k.Num(&e.Cause)
	k.ID(&e.ID)
	k.Str(&e.URL)
	k.Bools(&e.Second)
}

// Files keeps bytes outside of the memory.
type Files interface {
	// Keep takes the bytes with a SHA-256, and says whether it did.
	Keep(digest [32]byte, data []byte) bool
	// Read gives what was taken, or says why it is lost.
	Read(digest [32]byte) ([]byte, error)
}
