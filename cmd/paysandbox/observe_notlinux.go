//go:build !linux

package main

import "syscall"

// childAttributes say nothing: the system ends no command with its parent.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
