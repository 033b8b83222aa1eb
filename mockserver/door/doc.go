// Package door owns what every HTTP surface of the sandbox shares: who may come
// in, which operation is meant, reading a request within bounds, putting it on the
// tape and answering. It knows no operation and no page; the surfaces bring their
// tables and policies.
package door
