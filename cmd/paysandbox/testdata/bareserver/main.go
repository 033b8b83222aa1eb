// Command bareserver answers every call with 200 and does nothing else: what a
// process with Go's HTTP server costs at least.
package main

import (
	"fmt"
	"net"
	"net/http"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("{\"baseUrl\":\"http://%s\"}\n", l.Addr())
	panic(http.Serve(l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
}
