package latitude

// Choice is one setting of one knob: the knob in the high byte, the position
// among its choices in the low one, so that asking for it costs a comparison.
// The zero position is the default.
type Choice uint16

// positionMask keeps the position of a choice and drops its knob.
const positionMask Choice = 0xff

// firstChoice returns the knob's default; the others count up from it.
func firstChoice(k Knob) Choice { return Choice(k) << 8 }

// position returns where the choice stands among its knob's.
func (c Choice) position() Choice { return c & positionMask }

// Knob returns the knob that the choice belongs to.
func (c Choice) Knob() Knob { return Knob(c >> 8) }

// Name returns the permanent name of the choice within its knob, as in
// "camel-only".
func (c Choice) Name() string { return c.option().name }

// Number returns the figure that the choice stands for (seconds, status,
// requests a second, reads), or 0 when it stands for none.
func (c Choice) Number() int { return c.option().number }

// Default reports whether the choice is its knob's default.
func (c Choice) Default() bool { return c.position() == 0 }

// Drawn reports whether Vary may draw the choice. The ledger gives the reason
// for each that it may not.
func (c Choice) Drawn() bool { return !c.option().held }

// String returns "knob=choice", which With and Parse read back.
func (c Choice) String() string { return c.Knob().Name() + "=" + c.Name() }

func (c Choice) option() option { return table[c.Knob()].choices[c.position()] }
