package check

func resilienceClauses() []Check { return nil }
