package main

import "syscall"

// childAttributes let a command end with this process, however that ends.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
