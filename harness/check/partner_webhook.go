package check

func webhookClauses() []Check { return nil }
