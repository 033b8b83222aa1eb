package trouble

import (
	"strconv"
	"strings"
	"time"
)

// Trouble is one way of making an application show what clauses ask for: a fault
// for its calls, or a delivery profile for its webhooks.
type Trouble struct {
	// Name is short and permanent; it stands in the ids of faults.
	Name string
	// Clauses are those that it can tell about. It is not made once all of them
	// have a verdict.
	Clauses []string
	// Say tells a person what happens next.
	Say string
	// On says which calls a fault meets, Effect what happens to them, Count to how
	// many in a row: never more than three.
	On     Calls
	Effect Effect
	Count  int
	// Until is how often the one call that has met it first fails then, if its caller does
	// not give it up before; 0 for what the caller is not kept from.
	Until int
	// Profile is a delivery profile, for the next Next deliveries; for those that
	// tell ForStatus, when it is set. Either it or Effect is set.
	Profile   string
	Next      int
	ForStatus string
	// Holding says that it holds back what comes until more has come, for three
	// seconds at most, or as long as its Patience. It is never made while a story is
	// told, whose next step may wait for just that event. Brisk is how many
	// deliveries must have come a short while ago.
	Holding bool
	Brisk   int
	// Direct says that it is only made once a call has brought about an event by
	// itself.
	Direct bool
	// Paid says that an event about a payment that was Paid tells most: it is made
	// again until one has met it, even though the clauses have a verdict.
	Paid bool
	// Returns says that it is only made when a bank has returned a payment that was Paid a
	// moment before: a suite that does so may do it again, just then above all.
	Returns bool
	// Again says that its profile is for a delivery that was taken a while ago, of a payment
	// that nobody has spoken of since: it is sent once more.
	Again bool
	// Besides says that it is made once although the first of its clauses holds so
	// far: it shows another way of breaking it.
	Besides bool
	// Stay is how many calls or deliveries may pass it by before it makes room for
	// the next trouble; 0 means eight.
	Stay int
	// Tries is how often it is made, when it was met and the clauses still have no
	// verdict, or one that only a person could give; 0 means 2.
	Tries int
	// Patience is how long the reaction may take; 0 means five seconds.
	Patience time.Duration
}

// Calls are the calls that a fault is for.
type Calls string

// The kinds of calls. But for AWrite one is armed only once the application has
// made such a call.
const (
	// AWrite is a POST that carries a token. Nobody takes the next one for the same
	// call made again, as with a state that is asked for every now and then.
	AWrite Calls = "write"
	// ARead is a GET.
	ARead Calls = "read"
	// AState reads the state of one thing.
	AState Calls = "state"
	// AMove moves money; a refund and the charge of a saved card are such, and all but a
	// refund are payments.
	AMove    Calls = "money"
	APayment Calls = "payment"
	ARefund  Calls = "refund"
	ACharge  Calls = "charge"
)

// Effect is what a fault does, as the control API takes it.
type Effect struct {
	Status         int    `json:"status,omitempty"`
	RetryAfter     int    `json:"retryAfter,omitempty"`
	Latency        string `json:"latency,omitempty"`
	CutConnection  string `json:"cutConnection,omitempty"`
	CommitThenDrop bool   `json:"commitThenDrop,omitempty"`
	TokenRevoked   string `json:"tokenRevoked,omitempty"`
}

// String writes the effect as the header Sandbox-Fault does.
func (e Effect) String() string {
	var parts []string
	add := func(set bool, text string) {
		if set {
			parts = append(parts, text)
		}
	}
	add(e.Status != 0, "status="+strconv.Itoa(e.Status))
	add(e.RetryAfter != 0, "retry-after="+strconv.Itoa(e.RetryAfter))
	add(e.Latency != "", "latency="+e.Latency)
	add(e.CutConnection != "", "cut-connection="+e.CutConnection)
	add(e.CommitThenDrop, "commit-then-drop")
	add(e.TokenRevoked != "", "token-revoked="+e.TokenRevoked)
	return strings.Join(parts, "; ")
}

// Words is the fault or profile of the trouble in words.
func (t *Trouble) Words() string {
	if t.Profile != "" {
		return t.Profile
	}
	return t.Effect.String()
}

// tries is how often it may be made.
func (t *Trouble) tries() int {
	if t.Tries == 0 {
		return 2
	}
	return t.Tries
}

// stay is how much may pass by; one that was made in vain stays longer, but for one whose
// time is soon over.
func (t *Trouble) stay(unmet int) int {
	if t.Returns {
		return passing
	}
	if t.rare() {
		return t.Stay << min(unmet, 2)
	}
	return max(t.Stay, passing<<min(unmet, 3))
}

// rare says whether it waits for calls that a suite makes now and then only, as it gives money
// back once in a hundred calls.
func (t *Trouble) rare() bool { return t.On == ARefund || t.On == ACharge }

// brief says whether a call that goes well again has shown all that there is to see: how
// long its caller has waited.
func (t *Trouble) brief() bool { return t.Effect.Status >= 500 || t.Name == "slow-payment" }

// patience is how long the reaction may take.
func (t *Trouble) patience() time.Duration {
	switch {
	case t.Patience != 0:
		return t.Patience
	case t.Holding:
		return heldFor
	default:
		return 5 * time.Second
	}
}

// waits says which call or event the trouble needs.
func (t *Trouble) waits() string {
	switch {
	case t.Returns:
		return "a payment that is returned as soon as it is Paid"
	case t.Again:
		return "a payment that is left alone for some seconds after an event about it"
	case t.Direct:
		return "a call that causes an event by itself"
	case t.Brisk > 0:
		return "several events within a few seconds"
	case t.Holding:
		return "a payment that tells " + t.ForStatus + ", and by another event within eight seconds what follows"
	case t.ForStatus != "":
		return "an event that tells " + t.ForStatus
	case t.Profile != "":
		return "an event at a registered webhook address"
	}
	if t.Effect.TokenRevoked == "token" {
		return "readings of several states at the same time"
	}
	return map[Calls]string{
		AWrite: "a POST", ARead: "a GET", AState: "the reading of a state",
		AMove: "a call that moves money", APayment: "a payment", ARefund: "a refund", ACharge: "the charge of a saved card",
	}[t.On]
}

// heldFor is how long a trouble may hold back events, and vain how many times in
// a row one is made in vain.
const (
	heldFor = 3 * time.Second
	vain    = 8
)

// inARow is how many payments one after the other have their event held back, of which one
// may be returned, before others have their turn.
const inARow = 4

// silence is how long a call may hang whose answer is held back for a minute.
const silence = 65 * time.Second
