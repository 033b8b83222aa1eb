package kernel

// Source says on whose word a rule rests.
type Source string

// The three sources of a rule, strongest first.
const (
	// Spec marks a rule that the specification states.
	Spec Source = "spec"
	// Docs marks a rule that the provider published outside the specification.
	Docs Source = "docs"
	// Assumed marks a rule that nobody published and that the sandbox chose.
	Assumed Source = "assumed"
)

// Finding is one thing that is wrong, or doubtful, in a request. It is written
// for the engineer who has to mend the request.
type Finding struct {
	// Pointer is the RFC 6901 JSON pointer of the member in the body
	// ("/owner/ssn", "" for the whole body), or "query:NAME", "path:NAME",
	// "header:NAME" for what stands elsewhere.
	Pointer string `json:"pointer" required:"true" example:"/owner/ssn" description:"JSON pointer into the body, or query:NAME, path:NAME, header:NAME"`
	// Clause is the permanent id of the broken requirement.
	Clause string `json:"clause" required:"true" example:"company.create.owner-ssn" description:"permanent id of the broken requirement"`
	// Source is the authority behind the clause.
	Source Source `json:"source" required:"true" enum:"spec,docs,assumed" example:"spec"`
	// Received is what the request held, with secrets masked; empty when the
	// member was missing.
	Received string `json:"received" required:"true" example:"\"•••\""`
	// Expected says what would have been accepted.
	Expected string `json:"expected" required:"true" example:"exactly four digits"`
	// Fix says what to do.
	Fix string `json:"fix" required:"true" example:"send the last four digits of the social security number"`
	// Advisory is true when the request was, or would have been, accepted all
	// the same: the rule is not the specification's and --strict is off.
	Advisory bool `json:"advisory" required:"true" example:"false"`
}
