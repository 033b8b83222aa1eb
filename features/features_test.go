package features_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	gherkin "github.com/cucumber/gherkin/go/v26"
	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"
	"github.com/stretchr/testify/require"

	"paysandbox/features"
	"paysandbox/harness/sampling"
	"paysandbox/harness/steps"
	"paysandbox/mockserver/mocktest"
)

// parallel is how many scenarios run at a time.
const parallel = 8

// TestFeatures plays every scenario as a subtest, each with an integration of its own.
func TestFeatures(t *testing.T) {
	sandbox := mocktest.Start(t, mocktest.Options{})
	each := map[bool]int{true: 2, false: 1}[sampling.Raced] // all files take two minutes of a processor with the race detector
	planned := 0
	for i, doc := range documents(t) {
		if i%each == 0 {
			planned += len(pickled(doc, i))
		}
	}
	play(t, steps.Config{BaseURL: sandbox.URL, ControlURL: sandbox.URL}, "", each, planned)
}

// TestFeaturesWithoutControl plays what can be played against a service that has
// no control API, where all scenarios share one pair of credentials.
func TestFeaturesWithoutControl(t *testing.T) {
	sampling.NotRaced(t, "TestFeatures plays the same with it")
	sandbox := mocktest.Start(t, mocktest.Options{})
	planned := 0
	for _, p := range pickles(t) {
		if !tagged(p, "@needs:control") && !tagged(p, "@needs:fresh") {
			planned++
		}
	}
	world := steps.Config{BaseURL: sandbox.URL, ClientID: sandbox.ClientID, ClientSecret: sandbox.ClientSecret, Run: "run"}
	play(t, world, "~@needs:control && ~@needs:fresh", 1, planned)
}

// play runs the features that the tags leave, of each nth file. What ran is counted: a suite that
// runs nothing, or less than was planned, is no success.
func play(t *testing.T, world steps.Config, tags string, nth, planned int) {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * parallel}
	client := &http.Client{Transport: transport}
	t.Cleanup(transport.CloseIdleConnections)
	world.HTTP = client
	var ran atomic.Int64
	suite := godog.TestSuite{
		Name: "features",
		TestSuiteInitializer: func(sc *godog.TestSuiteContext) {
			steps.Register(sc.ScenarioContext(), world)
		},
		ScenarioInitializer: func(*godog.ScenarioContext) { ran.Add(1) },
		Options: &godog.Options{
			FeatureContents: contents(t, nth), Strict: true, Concurrency: parallel, TestingT: t, Format: "progress", Output: &discard{}, NoColors: true,
			Tags: tags,
		},
	}
	status := suite.Run()
	require.Positive(t, planned)
	require.EqualValues(t, planned, ran.Load(), "scenarios that ran")
	require.Zero(t, status, "the suite's status")
}

// discard drops the progress; failures are told by the subtests.
type discard struct{ mu sync.Mutex }

// Write drops p.
func (d *discard) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(p), nil
}

// files reads the features in the order of their names.
func files(tb testing.TB) map[string][]byte {
	tb.Helper()
	found := map[string][]byte{}
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".feature") {
			return err
		}
		found[path], err = os.ReadFile(path)
		return err
	})
	require.NoError(tb, err)
	return found
}

func names(found map[string][]byte) []string {
	list := make([]string, 0, len(found))
	for name := range found {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// contents gives each nth file of the features to godog.
func contents(tb testing.TB, nth int) []godog.Feature {
	tb.Helper()
	found := files(tb)
	var list []godog.Feature
	for i, name := range names(found) {
		if i%nth == 0 {
			list = append(list, godog.Feature{Name: name, Contents: found[name]})
		}
	}
	return list
}

// part is each nth file of the features.
func part(tb testing.TB, n int) fs.FS {
	tb.Helper()
	cut := fstest.MapFS{}
	for i, name := range features.Names() {
		if i%n == 0 {
			text, err := fs.ReadFile(features.FS(), name)
			require.NoError(tb, err)
			cut[name] = &fstest.MapFile{Data: text}
		}
	}
	return cut
}

// documents parses the features.
func documents(tb testing.TB) []*messages.GherkinDocument {
	tb.Helper()
	found := files(tb)
	var list []*messages.GherkinDocument
	for _, name := range names(found) {
		doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(found[name]), (&messages.Incrementing{}).NewId)
		require.NoError(tb, err, name)
		doc.Uri = name
		list = append(list, doc)
	}
	return list
}

// pickles are the scenarios as they run, example rows counted one by one.
func pickles(tb testing.TB) []*messages.Pickle {
	tb.Helper()
	var list []*messages.Pickle
	for i, doc := range documents(tb) {
		list = append(list, pickled(doc, i)...)
	}
	return list
}

// pickled are the scenarios of a file, which is the nth.
func pickled(doc *messages.GherkinDocument, n int) []*messages.Pickle {
	id := 0
	return gherkin.Pickles(*doc, doc.Uri, func() string { id++; return fmt.Sprintf("%d-%d", n, id) })
}
