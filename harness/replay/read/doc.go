// Package read makes one recording of the files that a partner sent, whatever their
// formats: it finds out what each file is, has it read, finds the service among the
// hosts, sets the clocks of the files by the service's, makes one call of what two
// files tell twice, checks the signatures of webhooks, and puts everything in order.
//
// The formats themselves stand below it: read/record for what machines wrote,
// read/commands, read/httptext and read/text for what people wrote or copied from a terminal. Clocks are
// set, and what is told twice is joined, in read/join. It runs nothing that a file says,
// opens no other file and no connection, and judges nothing.
package read
