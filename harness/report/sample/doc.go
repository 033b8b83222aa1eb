// Package sample has reports for tests: about a service and about an integration,
// friendly and hostile. It is used by tests only.
package sample
