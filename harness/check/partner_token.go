package check

func tokenClauses() []Check { return nil }
