package trail

import "time"

// KeyLife is how long an answer to a key is remembered. Latitude, idempotency.
const KeyLife = 24 * time.Hour

// KeysIgnored is the choice by which keys are ignored, as they are unless the ledger
// has them honoured; "" where they are.
func (t *Trail) KeysIgnored() string {
	switch choice := t.Meta.Latitude["idempotency"]; choice {
	case "honoured":
		return ""
	case "":
		return "idempotency=ignored"
	default:
		return "idempotency=" + choice
	}
}
