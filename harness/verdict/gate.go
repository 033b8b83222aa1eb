package verdict

// The exit codes. They stand here and nowhere else.
const (
	// CodeMet: the gate is met.
	CodeMet = 0
	// CodeFailed: a rule was broken, and nobody answers for it.
	CodeFailed = 1
	// CodeConfig: the command line or the plan is wrong.
	CodeConfig = 2
	// CodeLittle: too little evidence: nothing ran, or what is required was not
	// reached or not shown.
	CodeLittle = 3
	// CodeBroken: the harness or the target broke.
	CodeBroken = 4
	// CodeGone: a listed deviation no longer occurs.
	CodeGone = 5
)

// Gate counts the circumstances that decide how a run ends. The lists hold names
// of clauses or journeys. The zero value is a run in which nothing was judged.
type Gate struct {
	// Misconfigured is what was wrong before anything could run.
	Misconfigured error
	// Failed were broken, and nobody answers for them.
	Failed []string
	// Broke is why the run itself did not come to its end; Silent says that it is because
	// the target does not answer any more.
	Broke  error
	Silent bool
	// Broken could not be judged, because the harness or the target broke there.
	Broken []string
	// Judged counts what was judged at all.
	Judged int
	// Unseen are required and without evidence; MayMiss lets that pass.
	Unseen  []string
	MayMiss bool
	// NotShown are required and were come across, but what was seen does not show
	// whether they hold: a person has to look.
	NotShown []string
	// Unfinished were begun and not brought to their end.
	Unfinished []string
	// Gone are the listed deviations that no longer occur.
	Gone []string
	// CommandFailed says that the observed command has failed by itself.
	CommandFailed bool
}

// Outcome is how a run ends.
type Outcome int

// The outcomes: the ladder of the gate, from the one that outweighs all others
// down to the gate that is met. What was seen to fail outweighs everything that
// was not seen, but in a target that fell silent: it may have been dying before.
const (
	// Misconfigured: nothing could run.
	Misconfigured Outcome = iota
	// Failed: a rule was broken.
	Failed
	// RunBroke: the run did not come to its end.
	RunBroke
	// RuleBroke: a rule could not be judged.
	RuleBroke
	// NothingJudged: there is no evidence at all.
	NothingJudged
	// Unseen: what is required has no evidence.
	Unseen
	// NotShown: what is required cannot be told from what was seen.
	NotShown
	// Unfinished: something was begun and not brought to its end.
	Unfinished
	// DeviationGone: a deviation has to be taken from the list.
	DeviationGone
	// CommandFailed: nothing is wrong but the observed command's own exit.
	CommandFailed
	// MetWithout: the gate is met, and what is required was allowed to be unseen.
	MetWithout
	// Met: the gate is met.
	Met
)

// Outcome decides how the run ends.
func (g *Gate) Outcome() Outcome {
	switch {
	case g.Misconfigured != nil:
		return Misconfigured
	case g.Broke != nil && g.Silent:
		return RunBroke
	case len(g.Failed) > 0:
		return Failed
	case g.Broke != nil:
		return RunBroke
	case len(g.Broken) > 0:
		return RuleBroke
	case g.Judged == 0:
		return NothingJudged
	case len(g.Unseen) > 0 && !g.MayMiss:
		return Unseen
	case len(g.NotShown) > 0:
		return NotShown
	case len(g.Unfinished) > 0:
		return Unfinished
	case len(g.Gone) > 0:
		return DeviationGone
	case g.CommandFailed:
		return CommandFailed
	case len(g.Unseen) > 0:
		return MetWithout
	default:
		return Met
	}
}

// Code is the exit code.
func (o Outcome) Code() int { return endings[o].code }

// Word is the verdict on the whole run.
func (o Outcome) Word() Word { return endings[o].word }

// endings are what the outcomes end a run with.
var endings = map[Outcome]struct {
	code int
	word Word
}{
	Misconfigured: {CodeConfig, HarnessError},
	Failed:        {CodeFailed, Fail},
	RunBroke:      {CodeBroken, HarnessError},
	RuleBroke:     {CodeBroken, HarnessError},
	NothingJudged: {CodeLittle, Inconclusive},
	Unseen:        {CodeLittle, Inconclusive},
	NotShown:      {CodeLittle, Inconclusive},
	Unfinished:    {CodeLittle, Inconclusive},
	DeviationGone: {CodeGone, Fail},
	CommandFailed: {CodeBroken, HarnessError},
	MetWithout:    {CodeMet, Pass},
	Met:           {CodeMet, Pass},
}
