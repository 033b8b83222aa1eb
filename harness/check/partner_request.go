package check

func requestClauses() []Check { return nil }
