package hosted

// What the tests of the package's insides need.
var (
	MaskAccount   = maskAccount
	AccountDigits = accountDigits
	MaskCard      = maskCard
	Dollars       = dollars
	ReadDollars   = readDollars
)

// ReadForm reads a form of the named fields and writes it as the tape gets it.
func ReadForm(body []byte, names ...string) (string, error) {
	masks := map[string]func(string) string{"account": maskAccount, "number": maskCard, "code": maskDigits, "ssn": maskDigits}
	var fields []field
	for _, name := range names {
		fields = append(fields, field{name: name, mask: masks[name]})
	}
	f, err := readForm(body, fields)
	return string(f.encode()), err
}

// Style gives the embedded style sheet.
func Style() string { return string(loadSheets().style) }
