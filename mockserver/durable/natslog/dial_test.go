package natslog_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/durable"
	"paysandbox/mockserver/durable/natslog"
)

// authority signs certificates, and writes them as files.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.cert, a.key = a.sign(t, "ca")
	return a
}

func (a *authority) path(name string) string { return filepath.Join(a.dir, name+".pem") }

// sign makes a certificate and its key, NAME.pem and NAME.key.pem.
func (a *authority) sign(t *testing.T, name string) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(name))), Subject: pkix.Name{CommonName: name}, NotAfter: time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, BasicConstraintsValid: true, IsCA: a.cert == nil, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(a.path(name), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o600))
	require.NoError(t, os.WriteFile(a.path(name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}), 0o600))
	cert, err := x509.ParseCertificate(raw)
	require.NoError(t, err)
	return cert, key
}

// locked starts a server of NATS that wants a certificate, a user and a password.
func locked(t *testing.T, a *authority) *server.Server {
	t.Helper()
	a.sign(t, "server")
	pair, err := tls.LoadX509KeyPair(a.path("server"), a.path("server.key"))
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20,
		Users: []*server.User{{Username: "sandbox", Password: "s3cret"}}, TLS: true, TLSVerify: true, TLSTimeout: 30, AuthTimeout: 30,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: roots, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12},
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(time.Minute))
	return s
}

// TestDialOfServersThatAskWhoCalls: certificates on both sides, a user and a password.
func TestDialOfServersThatAskWhoCalls(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	a.sign(t, "sandbox")
	at := locked(t, a).Addr().String()
	good := natslog.Cluster{URLs: "tls://sandbox:s3cret@" + at, Replicas: 1, CA: a.path("ca"), Cert: a.path("sandbox"), Key: a.path("sandbox.key")}
	log, err := natslog.Dial(t.Context(), good, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	_, err = log.Append(t.Context(), durable.Message{Shard: 1, ID: "a", Data: []byte("a")})
	require.NoError(t, err)
	require.NoError(t, log.Close())

	password, unknown, nameless := good, good, good
	password.URLs, unknown.CA, nameless.Cert, nameless.Key = "tls://sandbox:guess@"+at, "", "", ""
	password.Patience, unknown.Patience = time.Hour, time.Hour // calling again would not help
	_, err = natslog.Dial(t.Context(), password, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, nats.ErrAuthorization)
	require.NotContains(t, err.Error(), "guess")
	_, err = natslog.Dial(t.Context(), unknown, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "certificate signed by unknown authority")
	nameless.Patience = time.Hour
	_, err = natslog.Dial(t.Context(), nameless, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "certificate required")
	other, none, many := good, good, good
	other.Key, none.CA, many.Replicas, many.Name = a.path("ca.key"), a.path("ca.key"), 3, "other"
	other.Patience, none.Patience, many.Patience = time.Hour, time.Hour, time.Hour
	_, err = natslog.Dial(t.Context(), other, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "does not match")
	_, err = natslog.Dial(t.Context(), none, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "no certificate is in it")
	_, err = natslog.Dial(t.Context(), many, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "replicas")
}

// TestDialWithoutPermission says so, and that at once: a server answers nothing to who may
// not ask.
func TestDialWithoutPermission(t *testing.T) {
	t.Parallel()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 32 << 20,
		Users: []*server.User{{Username: "u", Password: "p", Permissions: &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{"paysandbox.>"}}}}},
	})
	require.NoError(t, err)
	s.Start()
	defer s.Shutdown()
	require.True(t, s.ReadyForConnections(time.Minute))
	c := natslog.Cluster{URLs: "nats://u:p@" + s.Addr().String(), Replicas: 1, Patience: time.Hour}
	_, err = natslog.Dial(t.Context(), c, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, nats.ErrPermissionViolation)
}

// TestDialWaitsForServersThatStart: a sandbox may be there before its log.
func TestDialWaitsForServersThatStart(t *testing.T) {
	t.Parallel()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, MaxPayload: 32 << 20})
	require.NoError(t, err)
	s.Start()
	defer s.Shutdown()
	require.True(t, s.ReadyForConnections(time.Minute))
	c := natslog.Cluster{URLs: s.ClientURL(), Replicas: 1}
	_, err = natslog.Dial(t.Context(), c, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, nats.ErrNoResponders)
	c.Patience = time.Minute
	told := make(chan struct{}, 60)
	dialled := make(chan error)
	go func() {
		log, err := natslog.Dial(t.Context(), c, slog.New(slog.NewTextHandler(teller(told), nil)))
		if err == nil {
			err = log.Close()
		}
		dialled <- err
	}()
	<-told
	require.NoError(t, s.EnableJetStream(&server.JetStreamConfig{StoreDir: t.TempDir(), MaxMemory: 1 << 20, MaxStore: 1 << 30}))
	require.NoError(t, <-dialled)
}

// teller says when something is written.
type teller chan struct{}

func (w teller) Write(p []byte) (int, error) {
	w <- struct{}{}
	return len(p), nil
}
