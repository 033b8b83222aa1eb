package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/features"
	"paysandbox/harness/check"
	"paysandbox/harness/check/service"
	"paysandbox/harness/clause"
	"paysandbox/harness/report"
	"paysandbox/harness/verify"
	journeys "paysandbox/scenarios"
)

// clauseRow is a clause and where it is checked, as `clauses` tells it.
type clauseRow struct {
	ID          string               `json:"id"`
	Title       string               `json:"title"`
	Level       clause.Level         `json:"level"`
	WhereMet    bool                 `json:"whereMet,omitempty"`
	Area        string               `json:"area"`
	Source      clauseSource         `json:"source"`
	Operations  []string             `json:"operations"`
	Environment string               `json:"environment,omitempty"`
	Surface     clause.Surface       `json:"surface"`
	Exercise    string               `json:"exercise,omitempty"`
	Scenarios   []report.ScenarioRef `json:"scenarios"`
	Checks      []string             `json:"checks"`
}

// clauseSource is who requires a clause.
type clauseSource struct {
	Kind clause.Kind `json:"kind"`
	At   string      `json:"at,omitempty"`
	Knob string      `json:"knob,omitempty"`
}

func newClauses() *cobra.Command {
	var uncovered bool
	var format string
	cmd := &cobra.Command{
		Use: "clauses [PREFIX...]", Short: "List the clauses of both catalogues, and where each is checked",
		Long: "List what the service owes its partners, and what a partner's integration owes the service (the ids that\n" +
			"begin with partner), on whose word, and where each clause is checked.",
		Example: "  paysandbox clauses company.create\n  paysandbox clauses partner.webhook\n  paysandbox clauses --uncovered",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return clauseNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, prefixes []string) error {
			rows, err := clauseRows()
			if err != nil {
				return err
			}
			if rows, err = within(rows, prefixes); err != nil {
				return err
			}
			if uncovered {
				rows = slices.DeleteFunc(rows, func(r clauseRow) bool { return len(r.Scenarios)+len(r.Checks) > 0 })
			}
			return printClauses(cmd.OutOrStdout(), format, rows)
		},
	}
	cmd.Flags().BoolVar(&uncovered, "uncovered", false, "list only what no scenario and no standing check judges")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	completeWords(cmd, map[string][]string{"format": {"text", "json"}})
	return cmd
}

// clauseRows joins the catalogues with the features, the journeys and the checks.
func clauseRows() ([]clauseRow, error) {
	scenarios := map[string][]report.ScenarioRef{}
	for _, files := range []fs.FS{features.FS(), journeys.FS()} {
		played, err := verify.Scenarios(files)
		if err != nil {
			return nil, err
		}
		for i := range played {
			for _, id := range played[i].Clauses {
				scenarios[id] = append(scenarios[id], played[i].ScenarioRef)
			}
		}
	}
	checks := map[string][]string{}
	for _, c := range slices.Concat(check.Service(service.Options{}), check.Integration()) {
		for _, id := range c.Clauses {
			checks[id] = append(checks[id], c.ID)
		}
	}
	catalogues := slices.Concat(clause.Catalogue(), clause.Integration())
	rows := make([]clauseRow, 0, len(catalogues))
	for _, c := range catalogues {
		rows = append(rows, clauseRow{
			ID: string(c.ID), Title: c.Title, Level: c.Level, WhereMet: c.WhereMet, Area: c.Area, Source: clauseSource(c.Source), Exercise: c.Exercise,
			Operations: append([]string{}, c.Applies.Operations...), Environment: c.Applies.Environment, Surface: c.Applies.Surface,
			Scenarios: append([]report.ScenarioRef{}, scenarios[string(c.ID)]...), Checks: append([]string{}, checks[string(c.ID)]...),
		})
	}
	return rows, nil
}

// within keeps the clauses that one of the prefixes names, all without any.
func within(rows []clauseRow, prefixes []string) ([]clauseRow, error) {
	if len(prefixes) == 0 {
		return rows, nil
	}
	found := map[string]bool{}
	rows = slices.DeleteFunc(rows, func(r clauseRow) bool {
		kept := false
		for _, p := range prefixes {
			if c := (&clause.Clause{ID: clause.ID(r.ID)}); c.Within(p) || r.Area == p {
				kept, found[p] = true, true
			}
		}
		return !kept
	})
	for _, p := range prefixes {
		if !found[p] {
			return nil, badUsage(meant(p, clausePlaces(slices.Concat(clause.Catalogue(), clause.Integration())))+" `paysandbox clauses` lists them all", "no clause or area is called %q", p)
		}
	}
	return rows, nil
}

func printClauses(w io.Writer, format string, rows []clauseRow) error {
	switch format {
	case "json":
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(append([]clauseRow{}, rows...))
	case "text":
		_, err := io.WriteString(w, clauseText(rows))
		return err
	default:
		return badUsage("use text or json", "--format: %q is not a format", format)
	}
}

// clauseText lists the clauses for people.
func clauseText(rows []clauseRow) string {
	var b strings.Builder
	area := ""
	for _, r := range rows {
		if r.Area != area {
			area = r.Area
			b.WriteString("\n" + strings.ToUpper(area) + "\n")
		}
		fmt.Fprintf(&b, "\n  %s  %s%s\n", r.ID, r.Level, map[bool]string{true: " where met; unseen it blocks nothing"}[r.WhereMet])
		folded(&b, "    ", "    ", r.Title)
		folded(&b, "    source: ", "      ", r.Source.text())
		if r.Exercise != "" {
			folded(&b, "    to exercise it: ", "      ", r.Exercise)
		}
		for _, s := range r.Scenarios {
			folded(&b, fmt.Sprintf("    scenario: %s:%d ", s.File, s.Line), "      ", breakable(s.Name))
		}
		for _, c := range r.Checks {
			fmt.Fprintf(&b, "    check: %s\n", c)
		}
	}
	fmt.Fprintf(&b, "\n%d clauses\n", len(rows))
	return strings.TrimPrefix(b.String(), "\n")
}

// text says in one line who requires a clause.
func (s clauseSource) text() string {
	text := string(s.Kind)
	if s.At != "" {
		text += ", " + s.At
	}
	if s.Knob != "" {
		text += ", knob " + s.Knob
	}
	return text
}

func clauseNames() []string {
	var names []string
	for _, c := range slices.Concat(clause.Catalogue(), clause.Integration()) {
		names = append(names, string(c.ID))
	}
	return names
}
