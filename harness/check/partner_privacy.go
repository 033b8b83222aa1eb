package check

func privacyClauses() []Check { return nil }
