package record

// Done tells which exchange did a task, and whom its ids stand for.
type Done struct {
	Task     int               `json:"task"`
	Exchange uint64            `json:"exchange"`
	Names    map[string]string `json:"names,omitempty"`
}

// Trouble tells of trouble that is under way to the partner.
type Trouble struct {
	Clause string `json:"clause"`
	Armed  string `json:"armed"`
}

// Returned tells that a payer came back to the partner.
type Returned struct {
	Payment      string `json:"payment,omitempty"`
	Registration string `json:"registration,omitempty"`
	Status       string `json:"status"`
}
