package door

import "context"

// Life is how long a surface lasts: it ends the calls that wait and the answers
// that are held back.
type Life struct {
	ctx context.Context //nolint:containedctx // It is what the surface's calls have in common.
	end context.CancelFunc
}

// NewLife begins.
func NewLife() Life {
	ctx, end := context.WithCancel(context.Background())
	return Life{ctx, end}
}

// End ends it. It may be called more than once.
func (l Life) End() { l.end() }

// Over says whether End has been called.
func (l Life) Over() bool { return l.ctx.Err() != nil }

// During gives a context that ends with another one, or with the surface.
func (l Life) During(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(l.ctx, cancel)
	return ctx, func() { stop(); cancel() }
}
