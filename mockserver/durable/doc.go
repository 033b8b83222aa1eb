// Package durable keeps inputs in a log that outlasts the process, and has them
// applied in the log's order, by one process or by several that share the log.
// It owns batches and their chain of digests, snapshots, and who carries out which
// effect. What stores the log stands behind [Log] (package natslog). It knows nothing
// of payments: what an input means is its machine's affair.
//
// The order of things: an input is offered to the [Shard] that its integration
// belongs to; what was offered meanwhile leaves as one batch, which the log takes
// only behind the batch that the shard has read last; what the log holds is
// applied in its order, by every process. So the log decides which of two inputs
// comes first, nothing is applied before it is kept, and a batch that came second
// is appended again behind the first.
package durable
