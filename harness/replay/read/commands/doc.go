// Package commands reads the commands that people type or copy: curl lines and scripts of a shell or of Windows' cmd, what a browser
// copies for PowerShell and for fetch, and HTTPie's. It runs nothing and opens no file: what a line would have taken from a program
// or a file stays an open variable, or is a missing body.
package commands
