package tape

// Clock is a move of the virtual clock.
type Clock struct {
	// From is the virtual time before, in unix nanoseconds; RFC 3339 in JSON.
	From int64 `json:"from"`
	// To is the virtual time after, in unix nanoseconds; RFC 3339 in JSON.
	To int64 `json:"to"`
	// Mode is the clock's mode after the move: "real" or "manual".
	Mode string `json:"mode,omitempty"`
}

// Timer is a timer that fired.
type Timer struct {
	// Name says what the timer is for.
	Name string `json:"name"`
	// Due is the virtual time at which it was due, in unix nanoseconds; RFC 3339
	// in JSON.
	Due int64 `json:"due"`
	// Scheduled is the number of the entry that set the timer.
	Scheduled uint64 `json:"scheduled,omitempty"`
}

// Transition is a state change of one resource.
type Transition struct {
	// Machine names the state machine, for example "payment".
	Machine string `json:"machine"`
	// Entity is the id of the resource.
	Entity string `json:"entity"`
	// From is the state before; absent for a resource that was just created.
	From string `json:"from,omitempty"`
	// To is the state after.
	To string `json:"to"`
	// Event is the machine's event that moved it.
	Event string `json:"event,omitempty"`
	// Reason says why, for people: a return code, a persona, a rule.
	Reason string `json:"reason,omitempty"`
}

// Event is an event that was emitted for webhook endpoints. In JSON the body is
// "body" when it is valid UTF-8, else "bodyBase64".
type Event struct {
	// Name is the event's name on the wire, for example PAYMENT_STATUS_CHANGED.
	Name string `json:"name"`
	// ID is the event's id.
	ID string `json:"id,omitempty"`
	// Body is the exact JSON bytes that receivers are sent.
	Body []byte `json:"-"`
}

// Attempt is one delivery attempt and what the receiver answered. In JSON the
// bodies are "body" and "responseBody" when they are valid UTF-8, else
// "bodyBase64" and "responseBodyBase64".
type Attempt struct {
	// Delivery is the id of the delivery that the attempt belongs to.
	Delivery string `json:"delivery"`
	// Endpoint is the id of the webhook endpoint.
	Endpoint string `json:"endpoint,omitempty"`
	// Event is the id of the event.
	Event string `json:"event,omitempty"`
	// Number counts the attempts of one delivery from 1.
	Number int `json:"number"`
	// Profile names the ways in which the delivery went wrong on purpose.
	Profile Profiles `json:"profile,omitempty"`
	// URL is the address that was called.
	URL string `json:"url,omitempty"`
	// Header holds the headers that were sent, the signature among them.
	Header []Header `json:"header,omitempty"`
	// Status is the receiver's HTTP status; 0 and absent when none came.
	Status int `json:"status,omitempty"`
	// ResponseHeader holds the receiver's headers that decide what happens next.
	ResponseHeader []Header `json:"responseHeader,omitempty"`
	// Error says why no answer came.
	Error string `json:"error,omitempty"`
	// Next is the virtual time of the next attempt in unix nanoseconds, RFC 3339
	// in JSON; 0 and absent when there is none.
	Next int64 `json:"-"`
	// Reason says why there is a next attempt, or none.
	Reason string `json:"reason,omitempty"`
	// Took is how long the receiver took, in nanoseconds of wall time; 0 and
	// absent under a manual clock, where wall time means nothing.
	Took int64 `json:"tookNanos,omitempty"`
	// Body is the exact bytes that were sent.
	Body []byte `json:"-"`
	// ResponseBody is the receiver's answer, cut by the caller.
	ResponseBody []byte `json:"-"`
}

// Hangup is a caller that hung up while its answer was held back by a fault. The
// entry's cause is the exchange.
type Hangup struct {
	// After is how long the caller had waited, in nanoseconds of wall time since
	// its request came in; under a manual clock too.
	After int64 `json:"afterNanos"`
}

// The channels of a [Message].
const (
	// ChannelEmail is an e-mail.
	ChannelEmail = "email"
	// ChannelSMS is a text message.
	ChannelSMS = "sms"
)

// Message is what a simulated person was sent. To keep tapes small the text may
// be left to the reader: Template and Params are enough to render it.
type Message struct {
	// Channel is "email" or "sms".
	Channel string `json:"channel"`
	// To is the e-mail address or the phone number.
	To string `json:"to"`
	// Template names the text.
	Template string `json:"template,omitempty"`
	// Params are the values that the template takes, in its order.
	Params []Param `json:"params,omitempty"`
	// Subject is the rendered subject of an e-mail, when kept.
	Subject string `json:"subject,omitempty"`
	// Text is the rendered plain text, when kept.
	Text string `json:"text,omitempty"`
	// HTML is the rendered HTML of an e-mail, when kept.
	HTML string `json:"html,omitempty"`
	// Links are the addresses in the message, in reading order.
	Links []string `json:"links,omitempty"`
	// Codes are the one-time codes in the message, in reading order.
	Codes []string `json:"codes,omitempty"`
}

// Fetch is a file that was downloaded from a partner's address. In JSON the body
// is "body" when it is valid UTF-8, else "bodyBase64".
type Fetch struct {
	// URL is the address that was called.
	URL string `json:"url"`
	// Status is the HTTP status; 0 and absent when none came.
	Status int `json:"status,omitempty"`
	// Error says why there is no file.
	Error string `json:"error,omitempty"`
	// ContentType is the media type as received.
	ContentType string `json:"contentType,omitempty"`
	// Size is the file's length in bytes.
	Size int64 `json:"size,omitempty"`
	// SHA256 is the file's digest in lower-case hex.
	SHA256 string `json:"sha256,omitempty"`
	// Body is the file itself, when kept.
	Body []byte `json:"-"`
}

// Finding is one remark about a request.
type Finding struct {
	// Pointer is the JSON pointer to the member; empty for the whole request.
	Pointer string `json:"pointer,omitempty"`
	// Clause is the id of the clause that was broken.
	Clause string `json:"clause,omitempty"`
	// Source is the clause's source: "spec", "docs" or "assumed".
	Source string `json:"source,omitempty"`
	// Received is what was received, with secrets masked.
	Received string `json:"received,omitempty"`
	// Expected is what would have been right.
	Expected string `json:"expected,omitempty"`
	// Fix tells how to put it right.
	Fix string `json:"fix,omitempty"`
	// Advisory is true when the request was accepted all the same.
	Advisory bool `json:"advisory,omitempty"`
}
