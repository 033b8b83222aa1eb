package main

import (
	"fmt"
	"strings"
	"time"

	"paysandbox/mockserver/integration"
)

// unnamed refuses a place that is given and has no name, as of a variable that is not set:
// nothing would be kept, and nobody told.
func (f *sandboxFlags) unnamed() error {
	for _, x := range []struct{ flag, value string }{{"data", f.data}, {"cluster", f.cluster.URLs}, {"from", f.from}, {"save-on-exit", f.saveOnExit}} {
		if x.value == "" && f.given(x.flag) {
			return badUsage("name it, or leave --"+x.flag+" out and unset PAYSANDBOX_"+strings.ToUpper(strings.ReplaceAll(x.flag, "-", "_")), "--%s: the name is empty", x.flag)
		}
	}
	return nil
}

// same refuses flags that say otherwise than what is kept, and lets the others go by it.
// What is secret it does not tell.
func (f *sandboxFlags) same(wanted *integration.Options, kept integration.Options) error {
	for _, x := range []struct {
		flag         string
		wanted, kept any
		secret       bool
	}{
		{"seed", wanted.Seed, kept.Seed, false},
		{"client-id", wanted.ClientID, kept.ClientID, false},
		{"client-secret", wanted.ClientSecret, kept.ClientSecret, true},
		{"webhook-url", wanted.WebhookURL, kept.WebhookURL, true}, // a password can stand in it
		{"webhook-secret", wanted.WebhookSecret, kept.WebhookSecret, true},
		{"environment", wanted.Environment, kept.Environment, false},
		{"clock", wanted.Clock, kept.Clock, false},
		{"start", wanted.Start.UTC(), kept.Start.UTC(), false},
		{"strict", wanted.Strict, kept.Strict, false},
		{"status-key", wanted.StatusKey, kept.StatusKey, true},
		{"latitude", wanted.Settings.String(), kept.Settings.String(), false},
		{"vary", wanted.Settings.String(), kept.Settings.String(), false},
	} {
		if !f.given(x.flag) || x.wanted == x.kept {
			continue
		}
		but := "another one"
		if !x.secret {
			but = shown(x.kept) + ", and this says " + shown(x.wanted)
		}
		return badUsage("leave --"+x.flag+" out, or begin with another folder or --cluster-name; webhooks and integrations are changed by the control API",
			"--%s: what is kept in %s was begun with %s", x.flag, f.place(), but)
	}
	*wanted = kept
	return nil
}

// shown is a flag's value in a sentence.
func shown(value any) string {
	switch v := value.(type) {
	case time.Time:
		return v.Format(time.RFC3339)
	case bool:
		return fmt.Sprintf("--strict=%t", v)
	default:
		if s := fmt.Sprint(v); s != "" {
			return s
		}
		return "none"
	}
}
