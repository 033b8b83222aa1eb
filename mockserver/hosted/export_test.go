package hosted

// What the tests of the package's insides need.
var (
	ReadDollars = readDollars
	Unread      = unread
)
