package integration

import "paysandbox/mockserver/fault"

// Faults gives the armed faults of the integration. Calls inside Do alone come
// in the order of the tape: arm, match and remove there, so that a replay finds
// the same faults. Reset takes them all out.
func (i *Integration) Faults() *fault.Set { return &i.faults }
