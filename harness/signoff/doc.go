// Package signoff reads what people put their names to: that a failure is let be for a
// while (a deviation of the service, a waiver of an integration), and that they have
// looked at what traffic cannot show (an attestation). It judges nothing.
package signoff
