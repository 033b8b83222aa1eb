package main

import (
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// composition is what compose.yaml says, as far as the sandbox goes.
type composition struct {
	Services map[string]struct {
		Image, Build string
		Command      []string
		Environment  map[string]string
		Configs      []struct{ Source, Target string }
		Volumes      []string
		Ports        []string
		DependsOn    []string `yaml:"depends_on"`
		Restart      string
	}
	Configs map[string]struct{ Content string }
	Volumes map[string]any
}

// TestComposeNamesWhatExists: flags, variables, services, ports, volumes and versions of
// compose.yaml are those of the program, the Dockerfile, the servers and the file itself.
func TestComposeNamesWhatExists(t *testing.T) {
	t.Parallel()
	var c composition
	raw, err := os.ReadFile("../../compose.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(raw, &c))
	docker, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	modules, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	require.Contains(t, string(docker), `ENTRYPOINT ["/paysandbox"]`)
	logs := c.logServers(t, string(modules))
	sandboxes := 0
	for name, s := range c.Services {
		for _, other := range s.DependsOn {
			require.Contains(t, c.Services, other, name)
		}
		for _, volume := range s.Volumes {
			require.Contains(t, c.Volumes, strings.Split(volume, ":")[0], name)
		}
		for _, config := range s.Configs {
			require.Contains(t, c.Configs, config.Source, name)
		}
		if s.Build == "" {
			continue
		}
		sandboxes++
		require.Equal(t, ".", s.Build)
		f := c.sandbox(t, s.Command, s.Environment)
		require.Equal(t, logs, strings.Split(f.cluster.URLs, ","))
		require.True(t, f.behindProxy)
		require.NotEmpty(t, f.controlToken)
		require.Contains(t, c.Configs["balancer"].Content, "server "+name+strings.TrimPrefix(f.addr, "0.0.0.0")+";")
	}
	require.Equal(t, 3, sandboxes)
	require.Equal(t, []string{"127.0.0.1:8484:8484"}, c.Services["balancer"].Ports)
	require.Contains(t, c.Configs["balancer"].Content, "listen 8484;")
	require.Contains(t, c.Configs["balancer"].Content, "proxy_connect_timeout 2s;", "the address of a container that is gone does not answer, and nginx would wait for a minute")
}

// sandbox reads a sandbox's command and environment as the program does.
func (c *composition) sandbox(t *testing.T, command []string, environment map[string]string) *sandboxFlags {
	t.Helper()
	serve, args, err := newRoot(none).Find(command)
	require.NoError(t, err)
	require.Equal(t, "serve", serve.Name())
	var f sandboxFlags
	cmd := &cobra.Command{}
	f.declare(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	known := 0
	require.NoError(t, fromEnvironment(cmd.Flags(), func(name string) (string, bool) {
		value, set := environment[name]
		if set {
			known++
		}
		return value, set
	}))
	require.Equal(t, len(environment), known, "a variable that no flag reads")
	return &f
}

// logServers reads the log servers' configuration as they do, and gives their addresses.
func (c *composition) logServers(t *testing.T, modules string) (urls []string) {
	t.Helper()
	version := regexp.MustCompile(`nats-server/v2 v(\S+)`).FindStringSubmatch(modules)
	require.NotNil(t, version)
	for n := 1; c.Services["log"+strconv.Itoa(n)].Image != ""; n++ {
		name := "log" + strconv.Itoa(n)
		s := c.Services[name]
		require.Equal(t, "nats:"+version[1]+"-alpine", s.Image, "what the tests run on")
		require.Equal(t, []string{"-c", s.Configs[0].Target}, s.Command)
		require.Equal(t, []string{name + ":/data"}, s.Volumes)
		var o server.Options
		require.NoError(t, o.ProcessConfigString(strings.ReplaceAll(c.Configs[s.Configs[0].Source].Content, "$$NAME", s.Environment["NAME"])))
		require.Equal(t, name, o.ServerName)
		require.Equal(t, "/data", o.StoreDir)
		require.True(t, o.JetStream)
		require.Equal(t, int32(32<<20), o.MaxPayload)
		var routes []string
		for _, route := range o.Routes {
			require.Equal(t, strconv.Itoa(o.Cluster.Port), route.Port())
			routes = append(routes, route.Hostname())
		}
		require.Contains(t, routes, name)
		address := url.URL{Scheme: "nats", Host: name + ":4222"} // where it listens when nothing else is said
		urls = append(urls, address.String())
		require.Zero(t, o.Port)
	}
	require.Len(t, urls, 3)
	return urls
}
