// Package text searches what people write, and what consoles, loggers and tickets show, for calls: it marks in each line what may belong
// to one, and puts calls together of the marks. What is a command, or HTTP as it is, read/commands and read/httptext read. It runs
// nothing and opens no file.
package text
