package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/trail/told"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// machinePaths says under which part of the control API each machine's events
// lie.
var machinePaths = map[string]string{
	"company": "companies", "registration": "registrations", "payment": "payments", "refund": "refunds",
	"card-authorisation": "cards", "debit-authorisation": "debit-authorisations", "consent": "consents", "plan": "plans",
	"card-payment": "card-payments",
}

// triggerFlags say what is to happen.
type triggerFlags struct {
	controlFlags
	data         string
	list, asJSON bool
}

// newTrigger provokes an event of a machine in a running sandbox.
func newTrigger(env lookup) *cobra.Command {
	var f triggerFlags
	cmd := &cobra.Command{
		Use: "trigger MACHINE.EVENT [ID]", Short: "Make something happen to a payment, a consent, a company …",
		Long: "Trigger an event of a state machine in a running sandbox. Without an id it happens to the newest entity\n" +
			"of that machine that admits it. The machines: " + strings.Join(slices.Sorted(maps.Keys(machinePaths)), ", ") + ".",
		Example: "  paysandbox trigger --list\n  paysandbox trigger payment.approve\n  paysandbox trigger payment.fail 1f0e… --data '{\"returnCode\":\"R01\"}'\n" +
			"  paysandbox trigger company.reject\n  paysandbox trigger consent.accept",
		Args: func(_ *cobra.Command, args []string) error {
			if !f.list && len(args) < 1 || len(args) > 2 {
				return badUsage("for example `paysandbox trigger payment.approve`; `paysandbox trigger --list` says what there is", "trigger takes an event and perhaps an id, got %d words", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return triggers(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: withEnvironment(env, func(cmd *cobra.Command, args []string) error {
			if f.list {
				return f.tellEvents(cmd.Context(), strings.Join(args, "."), cmd.OutOrStdout())
			}
			return f.trigger(cmd.Context(), args, cmd.OutOrStdout())
		}),
	}
	f.declare(cmd)
	cmd.Flags().StringVar(&f.data, "data", "", "JSON body of the control call, for example a return code")
	cmd.Flags().BoolVar(&f.list, "list", false, "say which events there are, and what admits them now")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the sandbox's answer as it is, as is done where no terminal is")
	return cmd
}

// triggers are all events that can be triggered.
func triggers() []string {
	var list []string
	for _, m := range triggered() {
		for _, event := range m.Events() {
			if event != "create" {
				list = append(list, m.Name+"."+event)
			}
		}
	}
	return list
}

// triggered are the machines whose events can be triggered.
func triggered() []*kernel.Machine {
	return slices.DeleteFunc(world.Machines(), func(m *kernel.Machine) bool { return machinePaths[m.Name] == "" })
}

// trigger finds the entity, sends the event and tells what became of it.
func (f *triggerFlags) trigger(ctx context.Context, args []string, stdout io.Writer) error {
	name, event, _ := strings.Cut(args[0], ".")
	if !slices.Contains(triggers(), args[0]) {
		return badUsage(meant(args[0], triggers())+" `paysandbox trigger --list` says what there is", "%q is not MACHINE.EVENT of a known machine", args[0])
	}
	id := strings.Join(args[1:], "")
	if id == "" {
		var err error
		if id, err = f.newest(ctx, name, event); err != nil {
			return err
		}
	}
	target, body := eventCall(machinePaths[name], id, event)
	if f.data != "" {
		if !json.Valid([]byte(f.data)) {
			return badUsage("for example --data '{\"returnCode\":\"R01\"}'", "--data: %q is not JSON", f.data)
		}
		body = json.RawMessage(f.data)
	}
	answer, err := f.call(ctx, http.MethodPost, target, body)
	if err != nil {
		return err
	}
	var after struct{ Status string }
	if f.asJSON || !terminal(stdout) || json.Unmarshal(answer, &after) != nil || after.Status == "" {
		return pretty(stdout, answer)
	}
	_, err = fmt.Fprintf(stdout, "%s %s is %s\n", name, told.Clean(id), told.Clean(after.Status))
	return err
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
