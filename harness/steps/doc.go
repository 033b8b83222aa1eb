// Package steps holds the godog steps in which the acceptance features are written: the
// partner's language on one side, calls of the partner's client and of the sandbox's
// control API on the other. Every scenario gets an integration, a clock and a webhook
// receiver of its own. The package knows the service by its wire alone and judges nothing
// but what a step says.
package steps
