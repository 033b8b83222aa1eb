// Package receiver reads from the lines of files what a partner's receiver of webhooks says that it did with them: refused them,
// did the same again, or nothing. It finds no webhooks and judges nothing.
package receiver
