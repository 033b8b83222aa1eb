package world

import "paysandbox/mockserver/kernel"

// Machines lists every machine of the world, in the order of the
// specification's resources.
func Machines() []*kernel.Machine {
	return []*kernel.Machine{
		&CompanyMachine, &RegistrationMachine, &PaymentMachine, &CardAuthorisationMachine, &SavedCardChargeMachine,
		&RefundMachine, &DebitAuthorisationMachine, &PlanMachine, &ConsentMachine, &CardPaymentMachine, &EndpointMachine,
	}
}
