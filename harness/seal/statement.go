package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
)

// What the statement says that it is, as in-toto defines it.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

// The names of the subjects of a statement, besides the build that was judged.
const (
	subjectReport = "report"
	subjectTape   = "tape"
)

// Statement is an in-toto statement v1 about a report, of the predicate test-result v0.1.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     Result     `json:"predicate"`
}

// Resource is a text or a build by its digest: the algorithm (sha256, gitCommit) and
// lower-case hex. What has no digest has a URI: in-toto asks for one of them. Annotations
// say more about it.
type Resource struct {
	Name        string            `json:"name"`
	URI         string            `json:"uri,omitempty"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Result is what the clauses came to. Passed are those that hold by evidence, Warned
// those about which nothing final is known and those that somebody answers for, Failed
// the broken ones; each a clause's id.
type Result struct {
	Result        string     `json:"result"`
	Configuration []Resource `json:"configuration"`
	Passed        []string   `json:"passedTests"`
	Warned        []string   `json:"warnedTests"`
	Failed        []string   `json:"failedTests"`
}

// The results of the predicate.
const (
	resultPassed = "PASSED"
	resultWarned = "WARNED"
	resultFailed = "FAILED"
)

// State makes the statement about a report from the report and the exact bytes in which
// it is stored, as indented JSON.
func State(r *report.Report, stored []byte) ([]byte, error) {
	s := Statement{
		Type: statementType, PredicateType: predicateType,
		Subject:   []Resource{{Name: subjectReport, Digest: sha256Of(stored)}},
		Predicate: result(r),
	}
	s.Predicate.Configuration = append(s.Predicate.Configuration, Resource{
		Name: r.Tool, URI: "pkg:generic/" + url.PathEscape(r.Tool) + "@" + url.PathEscape(r.Version),
		Annotations: map[string]string{"version": r.Version, "target": r.Target, "seed": fmt.Sprint(r.Seed)},
	})
	if r.Readiness != nil {
		for _, d := range r.Readiness.Digests {
			resource := Resource{Name: d.Name, Digest: map[string]string{"sha256": d.SHA256}}
			if d.Name == subjectTape {
				s.Subject = append(s.Subject, resource)
				continue
			}
			s.Predicate.Configuration = append(s.Predicate.Configuration, resource)
		}
		if build, known := buildOf(r.Readiness.Subject); known {
			s.Subject = append(s.Subject, build)
		}
	}
	raw, err := json.MarshalIndent(s, "", "  ")
	return append(raw, '\n'), err
}

// result is the verdict in the predicate's three words. Only a gate that is met by
// evidence is PASSED: one that people let pass is WARNED, all else is FAILED.
func result(r *report.Report) Result {
	out := Result{Result: resultFailed, Configuration: []Resource{}, Passed: []string{}, Warned: []string{}, Failed: []string{}}
	for _, c := range r.Clauses {
		switch {
		case c.Verdict == verdict.Pass && c.Attested == nil:
			out.Passed = append(out.Passed, c.ID)
		case c.Verdict == verdict.Fail && c.Deviation == nil:
			out.Failed = append(out.Failed, c.ID)
		default:
			out.Warned = append(out.Warned, c.ID)
		}
	}
	if r.ExitCode == verdict.CodeMet {
		out.Result = resultWarned
		if len(out.Failed) == 0 && (r.Readiness == nil || r.Readiness.Ready) {
			out.Result = resultPassed
		}
	}
	return out
}

var (
	imageDigest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|@)sha256:([0-9a-f]{64})$`) })
	gitCommit   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:git )?([0-9a-f]{40})$`) })
)

// buildOf is the build that was judged, where its name holds a digest.
func buildOf(subject string) (Resource, bool) {
	if m := imageDigest().FindStringSubmatch(subject); m != nil {
		return Resource{Name: subject, Digest: map[string]string{"sha256": m[1]}}, true
	}
	if m := gitCommit().FindStringSubmatch(subject); m != nil {
		return Resource{Name: subject, Digest: map[string]string{"gitCommit": m[1]}}, true
	}
	return Resource{}, false
}

func sha256Of(text []byte) map[string]string {
	sum := sha256.Sum256(text)
	return map[string]string{"sha256": hex.EncodeToString(sum[:])}
}

// ErrStatement means that a text is no statement of ours, or is about another report.
var ErrStatement = errors.New("the statement does not fit")

// MaxStatement bounds a statement, in bytes.
const MaxStatement = 4 << 20

// ReadStatement reads what [State] made. The error wraps ErrStatement.
func ReadStatement(raw []byte) (*Statement, error) {
	if len(raw) > MaxStatement {
		return nil, fmt.Errorf("%w: it has %d bytes, and %d are the most", ErrStatement, len(raw), MaxStatement)
	}
	var s Statement
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%w: it is no JSON: %w", ErrStatement, err)
	}
	if s.Type != statementType || s.PredicateType != predicateType {
		return nil, fmt.Errorf("%w: its types are %q and %q, expected %q and %q", ErrStatement, s.Type, s.PredicateType, statementType, predicateType)
	}
	return &s, nil
}

// About holds a statement to the bytes of a report and, where they are given, of a tape.
// The error wraps ErrStatement and says which of them is another one.
func (s *Statement) About(stored, tape []byte) error {
	for _, of := range []struct {
		name string
		text []byte
	}{{subjectReport, stored}, {subjectTape, tape}} {
		if of.text == nil {
			continue
		}
		said, is := s.digest(of.name), sha256Of(of.text)["sha256"]
		if said == "" {
			return fmt.Errorf("%w: it names no %s", ErrStatement, of.name)
		}
		if !strings.EqualFold(said, is) {
			return fmt.Errorf("%w: it is about another %s: SHA-256 %s, and this one has %s", ErrStatement, of.name, said, is)
		}
	}
	return nil
}

// Tells holds a statement, by its exact bytes, to what [State] makes of the report: a
// signature says nothing of a result or a build that the report does not tell. The error
// wraps ErrStatement and shows the first line that differs.
func Tells(raw []byte, r *report.Report, stored []byte) error {
	made, err := State(r, stored)
	if err != nil || bytes.Equal(raw, made) {
		return err
	}
	said := strings.Split(string(raw), "\n")
	for n, line := range strings.Split(string(made), "\n") {
		if n == len(said) || said[n] != line {
			was := "nothing more"
			if n < len(said) {
				was = fmt.Sprintf("%.120q", strings.TrimSpace(said[n]))
			}
			return fmt.Errorf("%w: its line %d says %s, and of this report this release says %.120q", ErrStatement, n+1, was, strings.TrimSpace(line))
		}
	}
	return fmt.Errorf("%w: it says more than its report", ErrStatement)
}

// digest is the SHA-256 of a subject; empty where there is none of that name.
func (s *Statement) digest(name string) string {
	for _, r := range s.Subject {
		if r.Name == name {
			return r.Digest["sha256"]
		}
	}
	return ""
}
