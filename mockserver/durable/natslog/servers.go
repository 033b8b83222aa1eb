package natslog

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Servers are three servers of NATS in this process that keep one log together: for
// tests, and for who wants to see a cluster without containers.
type Servers [3]*server.Server

// errTaken is that somebody else has taken a port which was free a moment ago.
var errTaken = errors.New("another program has taken a port of a log server")

// mostStarts is how often they are started anew when a port is taken, and upWithin how soon a server listens.
const (
	mostStarts = 3
	upWithin   = 10 * time.Second
)

// StartServers starts them on free ports of this machine, and returns when they have
// chosen a leader. They store below the folder.
func StartServers(ctx context.Context, dir string) (*Servers, error) {
	for n := 1; ; n++ {
		list, err := startAll(ctx, filepath.Join(dir, strconv.Itoa(n)))
		if n == mostStarts || !errors.Is(err, errTaken) {
			return list, err
		}
	}
}

// startAll starts them on ports that are free now.
func startAll(ctx context.Context, dir string) (*Servers, error) {
	var list Servers
	var ports [len(list)]int
	var routes []*url.URL
	for n := range list { // a server is told of the others before they are there
		l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		at, _ := l.Addr().(*net.TCPAddr)
		ports[n] = at.Port
		routes = append(routes, &url.URL{Scheme: "nats", Host: at.String()})
		if err := l.Close(); err != nil {
			return nil, err
		}
	}
	for n := range list {
		name := fmt.Sprintf("log-%d", n+1)
		if err := list.start(n, name, server.RANDOM_PORT, filepath.Join(dir, name), ports[n], routes); err != nil {
			return nil, errors.Join(err, list.Close())
		}
	}
	for _, one := range list {
		if !one.ReadyForConnections(upWithin) {
			return nil, errors.Join(errTaken, list.Close())
		}
	}
	return &list, list.choose(ctx)
}

// start starts one of them.
func (s *Servers) start(n int, name string, port int, dir string, cluster int, routes []*url.URL) error {
	one, err := server.NewServer(&server.Options{
		ServerName: name, Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: maxMessage,
		Cluster: server.ClusterOpts{Name: defaultName, Host: "127.0.0.1", Port: cluster}, Routes: routes,
	})
	if err == nil {
		s[n] = one
		one.Start()
	}
	return err
}

// choose waits until they have chosen a leader.
func (s *Servers) choose(ctx context.Context) error {
	late, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for !s.led() {
		select {
		case <-late.Done():
			return errors.Join(errors.New("the servers of the log have chosen no leader"), s.Close())
		case <-time.After(reconnectWait):
		}
	}
	return nil
}

// Stop ends all of them, until again starts them at the same addresses with what they
// had stored.
func (s *Servers) Stop() (again func(context.Context) error, err error) {
	var starts []func() error
	var routes []*url.URL
	for n, one := range s {
		client, err := url.Parse(one.ClientURL())
		if err != nil {
			return nil, err
		}
		port, err := strconv.Atoi(client.Port())
		if err != nil {
			return nil, err
		}
		name, dir, cluster := one.Name(), filepath.Dir(one.JetStreamConfig().StoreDir), one.ClusterAddr()
		routes = append(routes, &url.URL{Scheme: "nats", Host: cluster.String()})
		starts = append(starts, func() error { return s.start(n, name, port, dir, cluster.Port, routes) })
	}
	return func(ctx context.Context) error {
		for _, start := range starts {
			if err := start(); err != nil {
				return err
			}
		}
		return s.choose(ctx)
	}, s.Close()
}

// led says whether one of them leads.
func (s *Servers) led() bool {
	for _, one := range s {
		if one.JetStreamIsLeader() {
			return true
		}
	}
	return false
}

// URLs are their addresses, between commas.
func (s *Servers) URLs() string {
	return s[0].ClientURL() + "," + s[1].ClientURL() + "," + s[2].ClientURL()
}

// Close ends them.
func (s *Servers) Close() error {
	for _, one := range s {
		if one != nil {
			one.Shutdown()
			one.WaitForShutdown()
		}
	}
	return nil
}
