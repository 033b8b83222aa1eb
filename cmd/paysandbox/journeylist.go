package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paysandbox/harness/journey"
	"paysandbox/scenarios"
)

// journeyRow is a journey as `journey list` tells it.
type journeyRow struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Story   string   `json:"story"`
	File    string   `json:"file"`
	Outage  bool     `json:"outage"`
	Clauses []string `json:"clauses"`
	Unless  []string `json:"unless"`
}

func newJourneyList() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use: "list", Short: "List the journeys and the clauses that they exercise",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := journey.List(scenarios.FS())
			if err != nil {
				return err
			}
			return printJourneys(cmd.OutOrStdout(), format, list)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	completeWords(cmd, map[string][]string{"format": {"text", "json"}})
	return cmd
}

func printJourneys(w io.Writer, format string, list []journey.Journey) error {
	switch format {
	case "json":
		rows := make([]journeyRow, len(list))
		for i, j := range list {
			rows[i] = journeyRow{j.Name, j.Title, j.Story, "scenarios/" + j.File, j.Outage, append([]string{}, j.Clauses...), append([]string{}, j.Unless...)}
		}
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		return out.Encode(rows)
	case "text":
		var b strings.Builder
		for _, j := range list {
			fmt.Fprintf(&b, "%-18s %s\n", j.Name, j.Title)
			for _, id := range j.Clauses {
				fmt.Fprintf(&b, "    %s\n", id)
			}
			if len(j.Unless) > 0 {
				folded(&b, "    not with ", "      ", strings.Join(j.Unless, ", "))
			}
		}
		fmt.Fprintf(&b, "\n%d journeys\n", len(list))
		_, err := io.WriteString(w, b.String())
		return err
	default:
		return badUsage("use text or json", "--format: %q is not a format", format)
	}
}
