package fault

// Match says which calls a fault meets. An empty member matches every call.
type Match struct {
	// Operation is the id of an operation; its other spellings match too.
	Operation string
	// Method is an HTTP method.
	Method string
	// Entity is an id that the call names, in its path, query or body.
	Entity string
	// Nth is the first matching call that is changed, counted from 1; 0 means 1.
	Nth int
}

// Call is one call to an operation, as far as faults look at it.
type Call struct {
	// Operation is the id of the operation, AliasOf the id of the one whose other
	// spelling it is, or empty.
	Operation, AliasOf string
	// Method is the HTTP method as received.
	Method string
	// Token is the id of the caller's token; empty when the call needs none.
	Token string
	// Names says whether the call names an id.
	Names func(id string) bool
	// Exchange and At are the call's number on the tape and its virtual time in
	// nanoseconds since 1970 UTC.
	Exchange uint64
	At       int64
}

// fits says whether a call is one of those that are meant.
func (m *Match) fits(c *Call) bool {
	switch {
	case m.Operation != "" && m.Operation != c.Operation && m.Operation != c.AliasOf:
		return false
	case m.Method != "" && m.Method != c.Method:
		return false
	default:
		return m.Entity == "" || c.Names(m.Entity)
	}
}
