// Package natslog stores the log of package durable in NATS JetStream: embedded in
// this process, on a folder and without a port, or in a cluster that several
// processes share. It knows messages and their numbers, and nothing of what they
// hold.
package natslog
