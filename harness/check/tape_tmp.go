package check
import "paysandbox/mockserver/tape"
type Options struct { OpenAPI []byte; WebhookSecrets map[string]string; Secrets []string }
type Tape struct { Meta tape.Meta; Entries []tape.Entry; Options }
func New(m tape.Meta, e []tape.Entry, o Options) *Tape { return &Tape{m,e,o} }
