package latitude

import "strings"

// Settings is what one integration chose for every knob. It is a plain value:
// comparable, copied by assignment, and its zero value is all defaults.
type Settings struct {
	// chosen holds the position of each knob's choice, without the knob.
	chosen [knobCount]Choice
}

// Setting is one knob and its value by their permanent names.
type Setting struct {
	Name  string `json:"name" example:"token-lifetime"`
	Value string `json:"value" example:"600"`
}

// Is reports whether that choice is in force.
func (s Settings) Is(c Choice) bool { return s.chosen[c>>8] == c.position() }

// Get returns the choice in force for a knob.
func (s Settings) Get(k Knob) Choice { return firstChoice(k) | s.chosen[k] }

// Number returns the figure in force for a knob (seconds for TokenLifetime,
// requests a second for RateLimit, reads for KYBRehearsal, the status for the
// knobs that choose one), or 0 where the choice has none.
func (s Settings) Number(k Knob) int { return s.Get(k).Number() }

// Choose returns the settings with those choices in force, later ones winning.
// It is for code, which writes constants; what users write goes through With.
func (s Settings) Choose(choices ...Choice) Settings {
	for _, c := range choices {
		s.chosen[c.Knob()] = c.position()
	}
	return s
}

// Differences returns the knobs that are not at their default, in ledger order.
// The slice is never nil.
func (s Settings) Differences() []Setting {
	differences := []Setting{}
	for i, position := range s.chosen {
		if position != 0 {
			r := table[i]
			differences = append(differences, Setting{Name: r.name, Value: r.choices[position].name})
		}
	}
	return differences
}

// Map returns the knobs that are not at their default by name; FromMap reads it
// back. The map is never nil and is the caller's.
func (s Settings) Map() map[string]string {
	differences := s.Differences()
	byName := make(map[string]string, len(differences))
	for _, d := range differences {
		byName[d.Name] = d.Value
	}
	return byName
}

// String returns the differences as "NAME=VALUE NAME=VALUE" in ledger order, and
// the empty string when there are none.
func (s Settings) String() string {
	pairs := []string{}
	for _, d := range s.Differences() {
		pairs = append(pairs, d.Name+"="+d.Value)
	}
	return strings.Join(pairs, " ")
}

// MarshalText writes String, so that settings are stored by permanent names and
// outlive changes to the tables. It never fails.
func (s Settings) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote. On an error, which says the same
// as Parse's, the settings stay as they were.
func (s *Settings) UnmarshalText(text []byte) error {
	parsed, err := Parse(strings.Fields(string(text)))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}
