package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/signoff"
	"paysandbox/harness/verify/given"
	"paysandbox/harness/verify/words"
)

// The ways in which a run ends before anything is judged. They come wrapped; use
// errors.Is.
var (
	// ErrConfig means that the plan is wrong: exit code 2.
	ErrConfig = errors.New("the configuration does not fit")
	// ErrNothing means that there is nothing to run: exit code 3.
	ErrNothing = errors.New("nothing to run")
	// ErrTarget means that the target cannot be judged: exit code 4.
	ErrTarget = errors.New("the target cannot be judged")
)

// NoControl as a plan's ControlURL says that the target has no control API.
const NoControl = "none"

// Plan says what is run against which service.
type Plan struct {
	// Features holds the .feature files, at any depth.
	Features fs.FS
	// BaseURL is the service's address without a slash at the end, Target how the
	// report calls it; empty means BaseURL.
	BaseURL, Target string
	// ControlURL is the address of the sandbox that has the control API. Empty:
	// BaseURL is asked whether it has one; NoControl: it is not asked.
	ControlURL string
	// ControlToken opens the control API where it wants one.
	ControlToken string
	// ClientID and ClientSecret are tried before the run when they are given, and
	// used by it where there is no control API.
	ClientID, ClientSecret string
	// Tags and Clauses say which scenarios run; see [clause.ParseTags] and [clause.ParseClauses].
	Tags, Clauses clause.Filter
	// Surface leaves out what is about more of the API: clause.SpecSurface or
	// clause.DocsSurface. Empty leaves nothing out.
	Surface clause.Surface
	// Choices are what a target without control is known to choose where the specification
	// is silent, value by knob. Of the others nothing is known: what comes otherwise
	// because of one of them is not judged. Defaults are what the scenarios expect that say
	// nothing of a knob.
	Choices, Defaults map[string]string
	// Seed is mixed into every scenario's own; Run tells runs against a shared
	// service apart.
	Seed uint64
	Run  string
	// Concurrency is how many scenarios run at a time; 0 means 8.
	Concurrency int
	// Timeout ends the run, as one that its target has broken; 0 means never. Without
	// it a run ends, too, when the target does not answer any more.
	Timeout time.Duration
	// FailFast begins no scenario after the first failure.
	FailFast bool
	// AllowUnreached lets the gate be met although a MUST was not reached.
	AllowUnreached bool
	// Deviations are the failures that are expected.
	Deviations []signoff.Deviation
	// Words is all that the service may say to people; nil for a service whose words
	// nobody has written down.
	Words *words.List
	// Given is what was given in each scenario when it was last looked at, with the seed
	// given.Seed; nil for a service of which nobody has written it down.
	Given *given.Record
	// Now tells the time.
	Now func() time.Time
	// HTTP makes the calls; nil means a client of the run's own.
	HTTP *http.Client
	// Sink hears of everything while it happens; it may be nil.
	Sink report.Sink
	// Tool, Version, Command and Notes go into the report.
	Tool, Version, Command string
	Notes                  []string
}

// mostAtOnce bounds the concurrency.
const mostAtOnce = 256

// Validate says what is wrong with the plan; the error wraps ErrConfig.
func (p *Plan) Validate() error {
	if p.Features == nil || p.Now == nil {
		return fmt.Errorf("%w: a plan needs features and a clock", ErrConfig)
	}
	if p.Concurrency < 0 || p.Concurrency > mostAtOnce {
		return fmt.Errorf("%w: %d scenarios at a time: give a number between 1 and %d", ErrConfig, p.Concurrency, mostAtOnce)
	}
	if err := address(p.BaseURL); err != nil {
		return err
	}
	if p.ControlURL != "" && p.ControlURL != NoControl {
		if err := address(p.ControlURL); err != nil {
			return err
		}
	}
	if (p.ClientID == "") != (p.ClientSecret == "") {
		return fmt.Errorf("%w: a client id and its secret come together", ErrConfig)
	}
	if !slices.Contains([]clause.Surface{"", clause.SpecSurface, clause.DocsSurface}, p.Surface) {
		return fmt.Errorf("%w: %q is not a surface", ErrConfig, p.Surface)
	}
	if err := signoff.CheckDeviations(p.Deviations); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// address refuses what cannot be called, and what tells a secret when it is
// printed.
func address(a string) error {
	u, err := url.Parse(a)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%w: %q is not an address such as https://host.example", ErrConfig, a)
	}
	if u.User != nil {
		return fmt.Errorf("%w: the address of %s holds credentials: give them apart", ErrConfig, u.Host)
	}
	return nil
}

// filled is the plan with its defaults.
func (p Plan) filled() Plan {
	p.BaseURL, p.ControlURL = strings.TrimSuffix(p.BaseURL, "/"), strings.TrimSuffix(p.ControlURL, "/")
	if p.Target == "" {
		p.Target = p.BaseURL
	}
	if p.Concurrency == 0 {
		p.Concurrency = 8
	}
	if p.Run == "" {
		p.Run = "run"
	}
	return p
}
