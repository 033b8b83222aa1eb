package judge

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// digests identify what a verdict rests on. The tape's is that of its file.
func digests(meta tape.Meta, entries []tape.Entry, o *Options) ([]report.Digest, error) {
	if o.Unnamed {
		return nil, nil
	}
	file := o.SHA256
	if file == "" { // it has not been written yet
		hash := sha256.New()
		if err := tape.Write(hash, meta, slices.Values(entries)); err != nil {
			return nil, err
		}
		file = hex.EncodeToString(hash.Sum(nil))
	}
	return []report.Digest{
		{Name: "tape", SHA256: file},
		digestOf("plan", o.plan()),
		digestOf("service clauses", clause.Text()),
		digestOf("integration clauses", clause.IntegrationText()),
	}, nil
}

// plan is what decides the verdict besides the tape, as a text: which clauses are
// judged, and what meets the gate.
func (o *Options) plan() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "fail on: %s\nallow unreached: %t\n", cmp.Or(o.FailOn, clause.Should), o.AllowUnreached)
	if o.Label != "" {
		fmt.Fprintf(&b, "label: %s\n", o.Label)
	}
	for _, c := range clause.Integration() {
		if o.Clauses.Takes(string(c.ID)) {
			b.WriteString(string(c.ID) + "\n")
		}
	}
	for _, a := range o.Attestations {
		fmt.Fprintf(&b, "attested: %+v\n", a)
	}
	for _, w := range o.Waivers {
		fmt.Fprintf(&b, "waived: %+v\n", w)
	}
	return b.Bytes()
}

func digestOf(name string, text []byte) report.Digest {
	sum := sha256.Sum256(text)
	return report.Digest{Name: name, SHA256: hex.EncodeToString(sum[:])}
}
