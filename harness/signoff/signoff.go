package signoff

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"paysandbox/harness/clause"
)

// ErrFile means that a list cannot be read, or says what it cannot. It comes wrapped.
var ErrFile = errors.New("the list does not fit")

// Deviation is a clause of the service whose failure is expected, for a while.
type Deviation struct {
	// Clause is the clause's id.
	Clause string `yaml:"clause"`
	// Owner answers for it, and Reason says why it is let be.
	Owner  string `yaml:"owner"`
	Reason string `yaml:"reason"`
	// Expires is the last day, as YYYY-MM-DD, UTC.
	Expires string `yaml:"expires"`
}

// Waiver is a clause of an integration that is known to be broken and accepted, for a
// while.
type Waiver struct {
	// Clause is the clause's id.
	Clause string `yaml:"clause"`
	// Owner answers for it, and Reason says why it is accepted.
	Owner  string `yaml:"owner"`
	Reason string `yaml:"reason"`
	// Until is the last day, as YYYY-MM-DD, UTC.
	Until string `yaml:"until"`
}

// Attestation is what somebody has seen who looked where traffic does not show.
type Attestation struct {
	// Clause is the clause's id.
	Clause string `yaml:"clause"`
	// Who looked, and At what: a file at a revision, a log, a table.
	Who string `yaml:"who"`
	At  string `yaml:"at"`
	// Digest is the SHA-256 of it, as 64 hex digits. It is told, not computed again.
	Digest string `yaml:"digest"`
	// Result is passed or failed.
	Result string `yaml:"result"`
	// Lapses is the last day on which it counts, as YYYY-MM-DD, UTC.
	Lapses string `yaml:"lapses"`
}

// The results of an attestation.
const (
	Passed = "passed"
	Failed = "failed"
)

// entry is what all of these lists have in common.
type entry interface {
	// about gives the clause, the name of the member that holds the last day, and that
	// day.
	about() (id, member, day string)
	// lacks says what is missing or wrong otherwise; empty where nothing is.
	lacks() string
}

func (d *Deviation) about() (id, member, day string)   { return d.Clause, "expires", d.Expires }
func (w *Waiver) about() (id, member, day string)      { return w.Clause, "is accepted until", w.Until }
func (a *Attestation) about() (id, member, day string) { return a.Clause, "lapses", a.Lapses }

func (d *Deviation) lacks() string { return nameless(d.Owner, d.Reason) }
func (w *Waiver) lacks() string    { return nameless(w.Owner, w.Reason) }

func (a *Attestation) lacks() string {
	switch {
	case a.Who == "" || a.At == "":
		return "needs who has looked, and at what"
	case a.Result != Passed && a.Result != Failed:
		return fmt.Sprintf("says %q: give result: passed, or failed", a.Result)
	case !sha256Form().MatchString(a.Digest):
		return "needs the digest of what was looked at: 64 hex digits, as sha256sum prints them"
	default:
		return ""
	}
}

var sha256Form = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

func nameless(owner, reason string) string {
	if owner == "" || reason == "" {
		return "needs an owner and a reason"
	}
	return ""
}

// ReadDeviations reads a list from YAML, as ReadWaivers and ReadAttestations do. An
// empty file has none. The error wraps ErrFile.
func ReadDeviations(from io.Reader) ([]Deviation, error) {
	return read[Deviation](from, "deviation", "clause, owner, reason and expires")
}

// ReadWaivers reads a list of waivers, see [ReadDeviations].
func ReadWaivers(from io.Reader) ([]Waiver, error) {
	return read[Waiver](from, "waiver", "clause, owner, reason and until")
}

// ReadAttestations reads a list of attestations, see [ReadDeviations].
func ReadAttestations(from io.Reader) ([]Attestation, error) {
	return read[Attestation](from, "attestation", "clause, who, at, digest, result and lapses")
}

// CheckDeviations holds a list that was put together otherwise to the same rules.
func CheckDeviations(list []Deviation) error { return check(list, "deviation") }

func read[T any, P interface {
	*T
	entry
}](from io.Reader, kind, members string) ([]T, error) {
	loader, err := yaml.NewLoader(from, yaml.WithKnownFields())
	if err != nil {
		return nil, fmt.Errorf("%w: read the %ss: %w", ErrFile, kind, err)
	}
	var list []T
	if err := loader.Load(&list); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: the %ss are not a list of %s: %s", ErrFile, kind, members, plain(err))
	}
	return list, check[T, P](list, kind)
}

// plain tells what is wrong with a file in its own words, and not in those of the program
// that reads it.
func plain(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, begin := range []string{"yaml: construct errors: ", "go-yaml load error in parser ", "go-yaml load error in scanner "} {
		text = strings.TrimPrefix(text, begin)
	}
	text = regexp.MustCompile(`field (\S+) not found in type \S+`).ReplaceAllString(text, "there is no member $1")
	return regexp.MustCompile(`cannot construct !!(\w+)( .*)? into \S+`).ReplaceAllString(text, "received a $1$2")
}

// check asks of each a known clause, once, all members and a day.
func check[T any, P interface {
	*T
	entry
}](list []T, kind string) error {
	article := "a"
	if strings.ContainsAny(kind[:1], "aeiou") {
		article = "an"
	}
	seen := map[string]bool{}
	for i := range list {
		e := P(&list[i])
		id, member, day := e.about()
		c, known := clause.Lookup(id)
		_, err := time.Parse(time.DateOnly, day)
		switch {
		case !known || string(c.ID) != id:
			return fmt.Errorf("%w: %s %s names the clause %q, which there is not (`paysandbox clauses` lists them)", ErrFile, article, kind, id)
		case kind != "deviation" && !strings.HasPrefix(id, clause.IntegrationPrefix):
			return fmt.Errorf("%w: %s %s names %s, which is a clause of the service: those of an integration begin with %s", ErrFile, article, kind, id, clause.IntegrationPrefix)
		case seen[id]:
			return fmt.Errorf("%w: %s has two %ss", ErrFile, id, kind)
		case e.lacks() != "":
			return fmt.Errorf("%w: the %s of %s %s", ErrFile, kind, id, e.lacks())
		case err != nil:
			return fmt.Errorf("%w: the %s of %s %s %q: give a day such as \"2027-01-31\", in quotes", ErrFile, kind, id, onDay(member), day)
		}
		seen[id] = true
	}
	return nil
}

// onDay puts the word before the day where the sentence needs it.
func onDay(member string) string {
	if strings.HasSuffix(member, "until") {
		return member
	}
	return member + " on"
}

// Over says whether a last day, or a last moment (RFC 3339, UTC), is over.
func Over(last string, now time.Time) bool {
	layout := time.DateOnly
	if len(last) > len(layout) {
		layout = time.RFC3339
	}
	return now.UTC().Format(layout) > last
}
