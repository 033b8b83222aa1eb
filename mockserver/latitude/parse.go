package latitude

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// With returns the settings with one knob set as a user wrote it. An unknown
// knob, an unknown value and a knob that is fixed are each an *Error. Setting a
// fixed knob to the value it has is no error.
func (s Settings) With(name, value string) (Settings, error) {
	knob, err := Lookup(name)
	if err != nil {
		return s, err
	}
	for _, c := range knob.Choices() {
		if c.Name() == value {
			return s.Choose(c), nil
		}
	}
	return s, refusedValue(knob, value)
}

// Parse returns the defaults with a list of NAME=VALUE applied in order, later
// ones winning. All that is wrong is reported at once, joined.
func Parse(list []string) (Settings, error) {
	return Settings{}.WithAll(list)
}

// WithAll returns the settings with a list of NAME=VALUE applied in order, later
// ones winning, as a user does who varies everything and holds some knobs still.
// On an error, which reports all that is wrong, the settings are unchanged.
func (s Settings) WithAll(list []string) (Settings, error) {
	next, problems := s, []error(nil)
	for _, text := range list {
		var err error
		if next, err = next.withText(text); err != nil {
			problems = append(problems, err)
		}
	}
	if problems != nil {
		return s, errors.Join(problems...)
	}
	return next, nil
}

// FromMap returns the defaults with the named knobs set. All that is wrong is
// reported at once, in the order of the names.
func FromMap(values map[string]string) (Settings, error) {
	list := make([]string, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, name+"="+values[name])
	}
	return Parse(list)
}

func (s Settings) withText(text string) (Settings, error) {
	name, value, found := strings.Cut(text, "=")
	if !found {
		return s, notAPair(text)
	}
	return s.With(name, value)
}
