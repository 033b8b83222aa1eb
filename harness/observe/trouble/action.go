package trouble

// Do says what an action does.
type Do string

// What a planner asks for.
const (
	// Make arms the trouble, or sets its profile, and announces it.
	Make Do = "make"
	// GoOn lets the call that has met the trouble fail for as long as its caller makes it
	// again, and no other.
	GoOn Do = "go on"
	// Lift takes the trouble back.
	Lift Do = "lift"
	// Met tells that traffic has met the trouble.
	Met Do = "met"
	// GiveBack sets a profile again that was somebody else's.
	GiveBack Do = "give back"
	// Resend sends a delivery once more, well.
	Resend Do = "resend"
	// Over tells that the trouble is over.
	Over Do = "over"
	// GiveUp tells that a trouble is made no more although clauses are still open.
	GiveUp Do = "give up"
)

// Action is one thing to be done for a planner.
type Action struct {
	Do Do
	// Trouble is what it is about, nil for GiveBack and Resend.
	Trouble *Trouble
	// Fault is the id of the fault, empty for a profile. Operation and Method say
	// which calls it meets; empty means any.
	Fault, Operation, Method string
	// Entity is what the call names that GoOn is about.
	Entity string
	// Endpoint is where a profile is set, Profile what is given back there.
	Endpoint string
	Profile  Profile
	// Delivery is what is sent once more.
	Delivery string
	// Clauses are those that are given up, Waits which call or event it has waited for
	// in vain, empty where it has met one.
	Clauses []string
	Waits   string
	// Entry is the number of the entry that met the trouble first.
	Entry uint64
}

// Note is what goes on the tape about trouble that is made.
func (a *Action) Note() Note {
	t := a.Trouble
	return Note{
		Clause: t.Clauses[0], Clauses: t.Clauses, Armed: t.Words(),
		Fault: a.Fault, Profile: t.Profile, Endpoint: a.Endpoint, Next: t.Next,
	}
}
