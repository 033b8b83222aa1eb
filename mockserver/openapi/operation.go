package openapi

// Surface says how far the provider has gone in publishing an operation.
type Surface string

// The three surfaces, from the firmest to the loosest.
const (
	// Spec operations stand in the specification's endpoint table.
	Spec Surface = "spec"
	// Docs operations were published outside the specification.
	Docs Surface = "docs"
	// Provisional operations are known to exist; their paths are the sandbox's own.
	Provisional Surface = "provisional"
)

// Param is a parameter of an operation that is not in its body.
type Param struct {
	// Name is the parameter's name as it is documented.
	Name string
	// In is path, query or header.
	In string
	// Description says what it is for.
	Description string
	// Example is a value that could be sent.
	Example string
	// Format is uuid, date, date-time or empty.
	Format string
	// Enum lists all values; nil when there are others.
	Enum []string
	// Required is true for every path parameter.
	Required bool
}

// Operation describes one operation for routing, the OpenAPI document, coverage
// and the README alike.
type Operation struct {
	// ID is the permanent operation id, for example "createCompany".
	ID string
	// Method is the HTTP method that the specification names.
	Method string
	// Path is the path as the endpoint reference writes it, with {parameters}.
	Path string
	// Tag groups operations, for example "Companies".
	Tag string
	// Summary is one line, Description says more where there is more.
	Summary, Description string
	// Surface is where the operation is published.
	Surface Surface
	// Clause is the specification's section and row, or the ledger's.
	Clause string
	// Params are path, query and header parameters.
	Params []Param
	// Request is a zero value of the body's type; nil when there is none.
	Request any
	// Response is a zero value of the answer's type; nil when it is empty.
	Response any
	// Errors are the statuses that the operation can answer besides 200.
	Errors []int
	// KeepsNulls writes the answer's nulls, and Detailed says which members are wrong
	// in a 400, whatever the choices: on the specification's word.
	KeepsNulls, Detailed bool
	// Open is true when no token is needed.
	Open bool
	// Repeat says what comes of the same POST sent again; an Idempotency-Key says it
	// where there is one.
	Repeat string
	// AliasOf is the id of the operation whose other spelling this is.
	AliasOf string
	// Success is the status of an answer that went well; zero means 200.
	Success int
	// Media are the media types of the answer; nil means those of the Info.
	Media []string
}
