// Package filestore keeps the bytes of files in a folder, each different file once
// under its digest, so that a process with much to keep holds little of it in memory.
// It counts who holds a file, removes it when nobody does, bounds all together, and
// reads nothing back whose digest is not the one that it was kept by.
//
// What is there is of use to one process alone: a start begins with none of it, so that
// nothing is flushed. The package knows no payments, and it must not decide what a
// caller is answered: what it does not take stays in memory.
package filestore
