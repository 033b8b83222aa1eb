package hosted

// What the tests of the package's insides need.
var (
	Dollars     = dollars
	ReadDollars = readDollars
	Unread      = unread
)
