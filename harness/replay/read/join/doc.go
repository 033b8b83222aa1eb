// Package join makes one account of what a partner's files tell twice or apart: it sets the clock of each file by the service's and by
// each other's, makes one call of what a file tells in two places and of what two files tell, does the same for webhooks, and puts them
// in the order in which they came. It reads no format, and judges nothing.
package join
