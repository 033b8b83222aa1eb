// Package correlate says which values of a recording stand for which values of a
// replay: ids, links, tokens, cursors and idempotency keys, by their type and their
// value, in paths, queries, headers and bodies. It owns the table of which member and
// which parameter holds which type of value.
//
// It makes no calls and judges nothing. Amounts, dates and other small values are
// never links: they would agree by chance.
package correlate
