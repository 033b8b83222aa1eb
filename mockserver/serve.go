package mockserver

import (
	"bytes"
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// How long a client may take. The control API extends the write deadline of
// calls that wait.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 90 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	stopTimeout       = 8 * time.Second // docker stop kills after ten
)

// Listeners are where a server answers.
type Listeners struct {
	// Partner serves the partner API and the hosted pages, and everything else
	// when Operator is nil.
	Partner net.Listener
	// Operator serves the control API and the figures, apart.
	Operator net.Listener
}

// Close gives the addresses back without serving.
func (l Listeners) Close() {
	_ = l.Partner.Close()
	if l.Operator != nil {
		_ = l.Operator.Close()
	}
}

// Serve answers on the listeners until the context ends, and then lets the
// requests and deliveries under way finish. Requests that are not complete in time
// are cut, which the log says. It returns nil after an orderly end.
func (s *Server) Serve(ctx context.Context, l Listeners) error {
	var open connections
	servers := []*http.Server{s.httpServer(everything, &open)}
	listeners := []net.Listener{l.Partner}
	if l.Operator != nil {
		servers = []*http.Server{s.httpServer(partners, &open), s.httpServer(operators, &open)}
		listeners = append(listeners, l.Operator)
		s.operate, _ = l.Operator.Addr().(*net.TCPAddr)
		s.partner, _ = l.Partner.Addr().(*net.TCPAddr)
	}
	failed := make(chan error, len(servers))
	for n, server := range servers {
		go func() { failed <- server.Serve(listeners[n]) }()
	}
	var err error
	running := len(servers)
	select {
	case err = <-failed:
		running--
	case <-ctx.Done():
	}
	s.opts.Log.InfoContext(ctx, "stopping: waiting for requests and deliveries under way")
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.StopTimeout)
	defer cancel()
	s.control.Stop()
	s.console.Stop()
	s.api.Stop()
	open.end()
	for _, server := range servers {
		err = errors.Join(err, s.stop(end, server, &open))
	}
	if ended := s.Close(end); !errors.Is(ended, context.DeadlineExceeded) {
		err = errors.Join(err, ended)
	} else if n := s.sender.Load().Pending; n > 0 {
		s.opts.Log.WarnContext(end, "deliveries were cut: they had not ended in time", slog.Int("deliveries", n))
	}
	for range running {
		if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
	}
	return err
}

func (s *Server) httpServer(side side, open *connections) *http.Server {
	return &http.Server{
		Handler: guard{s, side}, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog:  log.New(serverLog{s.opts.Log}, "", 0),
		ConnState: open.watch,
	}
}

// stop lets what one server has begun end in time, and cuts the rest.
func (s *Server) stop(end context.Context, server *http.Server, open *connections) error {
	err := server.Shutdown(end)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.opts.Log.WarnContext(end, "requests were cut: they had not ended in time", slog.Int("connections", open.active()),
		slog.Duration("waited", s.opts.StopTimeout))
	return server.Close()
}

// serverLog takes what net/http has to say. What clients do wrong is for those who
// look closely; that no connection can be taken any more is for everybody.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Write(line []byte) (int, error) {
	level := slog.LevelDebug
	if bytes.Contains(line, []byte("Accept error")) {
		level = slog.LevelWarn
	}
	l.log.Log(context.Background(), level, "net/http", slog.String("says", string(bytes.TrimSpace(line))))
	return len(line), nil
}
