// Package text reads what people write or copy from a terminal: curl lines of a shell
// or of Windows' cmd, what a browser copies for PowerShell and for fetch, .http files, what
// curl -v and httpyac print, and HTTP messages as they are. It runs nothing and opens no
// file: what a line would have taken from a program or a file stays an open variable, or
// is a missing body.
package text
