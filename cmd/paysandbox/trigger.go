package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// machinePaths says under which part of the control API each machine's events
// lie.
var machinePaths = map[string]string{
	"company": "companies", "registration": "registrations", "payment": "payments", "refund": "refunds",
	"card-authorisation": "cards", "debit-authorisation": "debit-authorisations", "consent": "consents", "plan": "plans",
	"card-payment": "card-payments",
}

// newTrigger provokes an event of a machine in a running sandbox.
func newTrigger(env lookup) *cobra.Command {
	var f controlFlags
	var data string
	cmd := &cobra.Command{
		Use:   "trigger MACHINE.EVENT [ID]",
		Short: "Make something happen to a payment, a consent, a company …",
		Long: "Trigger an event of a state machine in a running sandbox. Without an id it happens to the entity\n" +
			"of that machine that changed last. The machines: " + strings.Join(slices.Sorted(maps.Keys(machinePaths)), ", ") + ".",
		Example: "  paysandbox trigger payment.approve\n  paysandbox trigger payment.fail 1f0e… --data '{\"returnCode\":\"R01\"}'\n" +
			"  paysandbox trigger company.reject\n  paysandbox trigger consent.accept",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return badUsage("for example `paysandbox trigger payment.approve`", "trigger takes an event and perhaps an id, got %d words", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := fromEnvironment(cmd.Flags(), env); err != nil {
				return err
			}
			answer, err := f.trigger(cmd.Context(), args, data)
			if err != nil {
				return err
			}
			return pretty(cmd.OutOrStdout(), answer)
		},
	}
	f.declare(cmd)
	cmd.Flags().StringVar(&data, "data", "", "JSON body of the control call, for example a return code")
	return cmd
}

// trigger finds the entity and sends the event.
func (f *controlFlags) trigger(ctx context.Context, args []string, data string) ([]byte, error) {
	machine, event, found := strings.Cut(args[0], ".")
	path, known := machinePaths[machine]
	if !found || !known {
		return nil, badUsage("the machines are "+strings.Join(slices.Sorted(maps.Keys(machinePaths)), ", "),
			"%q is not MACHINE.EVENT of a known machine", args[0])
	}
	id := ""
	if len(args) == 2 {
		id = args[1]
	}
	if id == "" {
		var err error
		if id, err = f.newest(ctx, machine); err != nil {
			return nil, err
		}
	}
	target, body := eventCall(path, id, event)
	if data != "" {
		if !json.Valid([]byte(data)) {
			return nil, badUsage("for example --data '{\"returnCode\":\"R01\"}'", "--data: %q is not JSON", data)
		}
		body = json.RawMessage(data)
	}
	return f.call(ctx, http.MethodPost, target, body)
}

// eventCall is the path and body of a machine's event.
func eventCall(path, id, event string) (string, any) {
	base := "/" + path + "/" + id
	if path != "companies" {
		return base + "/" + event, map[string]string{}
	}
	outcome := map[string]string{"verify": "verified", "reject": "rejected"}[event]
	if outcome == "" {
		outcome = event
	}
	return base + "/kyb", map[string]string{"outcome": outcome}
}

// newest is the entity of a machine that changed last.
func (f *controlFlags) newest(ctx context.Context, machine string) (string, error) {
	answer, err := f.call(ctx, http.MethodGet, "/tape?kind=transition", nil)
	if err != nil {
		return "", err
	}
	id := ""
	lines := bufio.NewScanner(bytes.NewReader(answer))
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		var e struct {
			Transition *struct{ Machine, Entity string }
		}
		if json.Unmarshal(lines.Bytes(), &e) == nil && e.Transition != nil && e.Transition.Machine == machine {
			id = e.Transition.Entity
		}
	}
	if id == "" {
		return "", badUsage("create one first, or give its id", "the tape of the integration knows no %s", machine)
	}
	return id, lines.Err()
}
