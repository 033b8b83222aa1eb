package observe

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/mockserver/tape"
)

// digests identify what a verdict rests on. The tape's is that of its file.
func digests(meta tape.Meta, entries []tape.Entry, plan []byte) ([]report.Digest, error) {
	hash := sha256.New()
	if err := tape.Write(hash, meta, slices.Values(entries)); err != nil {
		return nil, err
	}
	list := []report.Digest{{Name: "tape", SHA256: hex.EncodeToString(hash.Sum(nil))}}
	if len(plan) > 0 {
		list = append(list, digestOf("plan", plan))
	}
	return append(list, digestOf("service clauses", clause.Text()), digestOf("integration clauses", clause.IntegrationText())), nil
}

func digestOf(name string, text []byte) report.Digest {
	sum := sha256.Sum256(text)
	return report.Digest{Name: name, SHA256: hex.EncodeToString(sum[:])}
}
