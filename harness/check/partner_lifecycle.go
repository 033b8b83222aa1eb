package check

func lifecycleClauses() []Check { return nil }
