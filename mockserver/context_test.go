package mockserver_test

import "context"

// contextDone is a context that has ended: a read with it does not wait.
func contextDone() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}
