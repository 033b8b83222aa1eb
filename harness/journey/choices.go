package journey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/partner"
)

// choices are what the service has chosen where the specification is silent, as
// NAME=VALUE: its environment, and the knobs that are not at their default.
func choices(ctx context.Context, stage *partner.Stage) ([]string, error) {
	a, err := stage.Get(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("read the choices of the service: %w", err)
	}
	var known struct {
		Environment string            `json:"environment"`
		Latitude    map[string]string `json:"latitude"`
	}
	if err := a.Read(&known); err != nil {
		return nil, fmt.Errorf("read the choices of the service: %w", err)
	}
	list := []string{"environment=" + known.Environment}
	for name, value := range known.Latitude {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list, nil
}

// impossible says why a journey cannot be told with choices; nil when it can.
func (j *Journey) impossible(choices []string) error {
	var against []string
	for _, choice := range j.Unless {
		if slices.Contains(choices, choice) {
			against = append(against, choice)
		}
	}
	if len(against) == 0 {
		return nil
	}
	return fmt.Errorf("%w %s", ErrNotHere, strings.Join(against, " and "))
}
