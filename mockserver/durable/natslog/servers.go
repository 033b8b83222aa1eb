package natslog

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Servers are three servers of NATS in this process that keep one log together: for
// tests, and for who wants to see a cluster without containers.
type Servers [3]*server.Server

// StartServers starts them on free ports of this machine, and returns when they have
// chosen a leader. They store below the folder.
func StartServers(ctx context.Context, dir string) (*Servers, error) {
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
		var err error
		list[n], err = server.NewServer(&server.Options{
			ServerName: fmt.Sprintf("log-%d", n+1), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
			StoreDir: filepath.Join(dir, fmt.Sprintf("log-%d", n+1)), NoSigs: true, NoLog: true, MaxPayload: maxMessage,
			Cluster: server.ClusterOpts{Name: defaultName, Host: "127.0.0.1", Port: ports[n]}, Routes: routes,
		})
		if err != nil {
			return nil, errors.Join(err, list.Close())
		}
		list[n].Start()
	}
	late, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for !list.led() {
		select {
		case <-late.Done():
			return nil, errors.Join(errors.New("the servers of the log have chosen no leader"), list.Close())
		case <-time.After(reconnectWait):
		}
	}
	return &list, nil
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
