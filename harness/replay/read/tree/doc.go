// Package tree reads calls of structured files whose form nobody has told it: JSON, JSON
// lines, YAML or XML of any tool. A file is a tree of named values; a call is the largest
// branch in which one method and one address stand. What belongs to it is known by the
// words in the names on the way there (request, response, headers, body, status, time),
// or by what it is: a whole HTTP message, also in base64. It owns no format of a tool that
// another reader knows, and judges nothing.
package tree
