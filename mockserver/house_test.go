package mockserver_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"paysandbox/harness/sampling"
)

// row says which of our packages a package may import. "x/*" stands for every
// package below x.
type row struct {
	pkg      string
	may      []string
	anything bool
}

// house is the import table. A package without a row is not in the plan.
// .golangci.yml says the same to editors; TestLinterKnowsTheHouse compares them.
func house() []row {
	harness := []string{"harness/*", "mockserver/tape", "fixtures", "fixtures/phone"}
	return []row{
		{pkg: "fixtures", may: []string{"mockserver/spelling"}},
		{pkg: "scenarios"},
		{pkg: "mockserver/spelling"},
		{pkg: "mockserver/theme"},
		{pkg: "mockserver/latitude", may: []string{"mockserver/spelling"}},
		{pkg: "mockserver/tape"},
		{pkg: "mockserver/kernel"},
		{pkg: "mockserver/filestore"},
		{pkg: "mockserver/budget", may: []string{"mockserver/filestore"}},
		{pkg: "mockserver/secret", may: []string{"mockserver/spelling"}},
		{pkg: "mockserver/delivery", may: []string{"mockserver/kernel", "mockserver/latitude"}},
		{pkg: "mockserver/world", may: []string{"mockserver/kernel", "mockserver/secret", "mockserver/delivery", "mockserver/latitude", "fixtures/phone", "fixtures"}},
		{pkg: "fixtures/phone"},
		{pkg: "mockserver/fault", may: []string{"mockserver/kernel", "mockserver/spelling"}},
		{pkg: "mockserver/webhook", may: []string{
			"mockserver/tape", "mockserver/delivery", "mockserver/secret",
		}},
		{pkg: "mockserver/integration", may: []string{
			"mockserver/world", "mockserver/delivery", "mockserver/kernel", "mockserver/tape",
			"mockserver/fault", "mockserver/secret", "mockserver/latitude", "mockserver/integration/*", "mockserver/budget", "mockserver/filestore",
		}},
		{pkg: "mockserver/integration/access", may: []string{"mockserver/tape", "mockserver/world"}},
		{pkg: "mockserver/integration/clock", may: []string{"mockserver/kernel"}},
		{pkg: "mockserver/integration/drawn"},
		{pkg: "mockserver/integration/entry", may: []string{"mockserver/kernel", "mockserver/tape"}},
		{pkg: "mockserver/integration/envelope", may: []string{"mockserver/kernel"}},
		{pkg: "mockserver/integration/outbox", may: []string{"mockserver/delivery", "mockserver/kernel", "mockserver/tape"}},
		{pkg: "mockserver/integration/rate", may: []string{"mockserver/kernel"}},
		{pkg: "mockserver/integration/stranger", may: []string{"mockserver/kernel", "mockserver/tape"}},
		{pkg: "mockserver/integration/weight", may: []string{"mockserver/budget", "mockserver/kernel", "mockserver/world"}},
		{pkg: "mockserver/integration/press", may: []string{"mockserver/budget", "mockserver/kernel"}},
		{pkg: "mockserver/integration/owed", may: []string{"mockserver/kernel"}},
		{pkg: "mockserver/integration/strike", may: []string{"mockserver/secret", "mockserver/tape"}},
		{pkg: "mockserver/durable", may: []string{"mockserver/durable/compare"}},
		{pkg: "mockserver/durable/compare"},
		{pkg: "mockserver/durable/natslog", may: []string{"mockserver/durable"}},
		{pkg: "mockserver/durable/shelf"},
		{pkg: "mockserver/wire", may: []string{
			"mockserver/kernel", "mockserver/secret", "mockserver/spelling",
		}},
		{pkg: "mockserver/openapi/tree"},
		{pkg: "mockserver/openapi/viewer", may: []string{"mockserver/openapi/tree", "mockserver/theme"}},
		{pkg: "mockserver/openapi", may: []string{
			"mockserver/openapi/tree", "mockserver/openapi/viewer", "mockserver/wire", "mockserver/kernel", "mockserver/latitude",
		}},
		{pkg: "mockserver/door", may: []string{
			"mockserver/openapi", "mockserver/integration", "mockserver/world", "mockserver/kernel", "mockserver/tape", "mockserver/latitude",
			"mockserver/secret", "mockserver/spelling", "mockserver/wire", "mockserver/budget",
		}},
		{pkg: "mockserver/api", may: []string{
			"mockserver/door", "mockserver/openapi", "mockserver/integration", "mockserver/world", "mockserver/kernel", "mockserver/tape",
			"mockserver/latitude", "mockserver/fault", "mockserver/secret", "mockserver/spelling", "mockserver/wire",
		}},
		{pkg: "mockserver/hosted", may: []string{
			"mockserver/hosted/form", "mockserver/door", "mockserver/theme", "mockserver/integration", "mockserver/world", "mockserver/kernel",
			"mockserver/tape", "mockserver/secret", "mockserver/wire", "fixtures",
		}},
		{pkg: "mockserver/hosted/form", may: []string{"mockserver/secret", "fixtures"}},
		{pkg: "mockserver/control", may: []string{
			"mockserver/door", "mockserver/openapi", "mockserver/integration", "mockserver/world", "mockserver/delivery", "mockserver/kernel",
			"mockserver/tape", "mockserver/latitude", "mockserver/fault", "mockserver/secret", "mockserver/spelling", "mockserver/wire", "mockserver/budget",
			"fixtures",
		}},
		{pkg: "mockserver/console", may: []string{
			"mockserver/console/*", "mockserver/door", "mockserver/webhook", "mockserver/integration", "mockserver/world", "mockserver/delivery",
			"mockserver/tape", "mockserver/secret", "fixtures",
		}},
		{pkg: "mockserver/console/cases"},
		{pkg: "mockserver/console/readiness", may: []string{"mockserver/tape"}},
		{pkg: "mockserver/console/archive", may: []string{"mockserver/latitude", "mockserver/tape"}},
		{pkg: "mockserver/console/feed", may: []string{"mockserver/tape"}},
		{pkg: "mockserver/console/call", may: []string{"mockserver/console/feed", "mockserver/fault", "mockserver/tape"}},
		{pkg: "mockserver/console/stream", may: []string{"mockserver/console/feed", "mockserver/integration", "mockserver/tape"}},
		{pkg: "mockserver/console/diagram"},
		{pkg: "mockserver/console/session"},
		{pkg: "mockserver/console/sheet", may: []string{"mockserver/theme"}},
		{pkg: "mockserver", may: []string{
			"mockserver/api", "mockserver/console", "mockserver/console/cases", "mockserver/console/readiness", "mockserver/control", "mockserver/durable",
			"mockserver/durable/compare", "mockserver/durable/shelf", "mockserver/hosted", "mockserver/door", "mockserver/openapi", "mockserver/webhook",
			"mockserver/theme", "mockserver/integration", "mockserver/world", "mockserver/delivery", "mockserver/kernel", "mockserver/tape",
			"mockserver/latitude", "mockserver/secret", "mockserver/wire", "mockserver/budget", "fixtures",
		}},
		{pkg: "mockserver/mocktest", may: []string{
			"fixtures", "mockserver", "mockserver/integration", "mockserver/world", "mockserver/tape", "mockserver/latitude",
		}},
		{pkg: "harness/*", may: harness},
		{pkg: "features", anything: true},
		{pkg: "cmd/*", anything: true},
	}
}

var (
	// floors are the packages of harness from the ground up. One may import what lies below
	// it, and nothing of its own floor but what is in its own folder.
	floors = [][]string{
		{"verdict", "clause", "schema", "partner", "sampling"},
		{"trail", "conform", "browser", "signoff", "random"},
		{"check", "steps", "report"},
		{"journey", "observe", "verify", "replay", "seal"},
	}
	// families have a few files for each resource or subcommand, and so may have more
	// than others.
	families = []string{"cmd/paysandbox", "mockserver/api", "mockserver/control", "mockserver/world"}
	// rootNames is all that the top level may hold, besides what .gitignore keeps out.
	rootNames = []string{
		"mockserver", "scenarios", "features", "fixtures", "harness", "cmd",
		"go.mod", "go.sum", "Makefile", "README.md",
		".ci", ".git", ".github", ".gitignore", ".golangci.yml", ".goreleaser.yaml", "LICENSE", "Dockerfile", "compose.yaml",
	}
	// notInWorld are the foreign packages that a plain value has no use for.
	notInWorld = []string{"net/http", "encoding/json", "sync", "log/slog"}
	// plainValues are the packages that hold to it.
	plainValues = []string{"mockserver/kernel", "mockserver/delivery", "mockserver/world"}
	// deterministic packages answer from their inputs alone.
	deterministic = []string{
		"mockserver/kernel", "mockserver/delivery", "mockserver/world", "mockserver/tape", "mockserver/latitude", "mockserver/wire", "mockserver/api",
		"mockserver/secret", "mockserver/spelling",
	}
	// wallClock lists who may read the time of day, and why.
	wallClock = map[string]string{
		"mockserver/integration": "drives the virtual clock by the real one",
		"mockserver/webhook":     "measures how long a receiver takes",
		"cmd":                    "is where the real world enters",
	}
	// readsClock are the calls that wallClock restricts.
	readsClock = regexp.MustCompile(`^time\.(Now|Since|Until)$`)
	// impure are the names that wait, or draw from a source that no seed decides …
	impure = regexp.MustCompile(`^(time\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)|` +
		`(math|crypto)/rand(/v2)?\.\w+|github\.com/google/uuid\.(New\w*|SetRand)|` +
		`github\.com/brianvoe/gofakeit/v\d+\.\w+)$`)
	// … but for these, which take a seed or a reader, or are types.
	seeded = regexp.MustCompile(`^(math/rand(/v2)?\.(New|NewSource|NewPCG|NewChaCha8|NewZipf|Rand|Source|Source64|PCG|ChaCha8|Zipf)|` +
		`github\.com/google/uuid\.New(RandomFromReader|Hash|MD5|SHA1)|` +
		`github\.com/brianvoe/gofakeit/v\d+\.(New|NewUnlocked|NewCustom|Faker))$`)
	versionSuffix = regexp.MustCompile(`^v\d+$`)
)

const (
	module = "paysandbox"
	// How many lines a file has at most, and how many source files a package.
	maxLines     = 300
	maxTestLines = 500
	maxFiles     = 15
)

func TestHouse(t *testing.T) {
	t.Parallel()
	sampling.NotRaced(t, "it reads source files, one after the other")
	require.Empty(t, judge(t, sampling.Tree("..")))
}

// TestHouseRulesBite builds broken houses and expects each to be found out.
func TestHouseRulesBite(t *testing.T) {
	t.Parallel()
	const world = "// Package world is fine.\npackage world\n"
	tests := map[string]struct{ path, text, want string }{
		"a good file": {"mockserver/world/a.go", world + `import (
			"math/rand/v2"
			"time"
			"paysandbox/mockserver/latitude"
			)
			var _ = rand.New(rand.NewPCG(1, 2)); var _ time.Time; var _ latitude.X
			func f(rand *rand.Rand) { rand.IntN(3) }`, ""},
		"a test may import anything": {"mockserver/tape/a_test.go", `package tape_test; import "paysandbox/harness/verify"; import "time"; var _ = time.Now`, ""},
		"a syntax error is not ours": {"mockserver/world/a.go", world + "func {", ""},
		"a generated file":           {"mockserver/world/a.go", "// Code generated by x. DO NOT EDIT.\n\n" + world + strings.Repeat("//\n", 501), ""},
		"a wrong import":             {"mockserver/world/a.go", world + `import "paysandbox/mockserver/tape"`, "mockserver/world may not import mockserver/tape"},
		"harness sees only the tape": {"harness/check/a.go", `package check; import _ "paysandbox/mockserver/world"`, "harness/check may not import mockserver/world"},
		"harness looks down":         {"harness/trail/a.go", `package trail; import _ "paysandbox/harness/check/service"`, "harness/trail may not import harness/check, which"},
		"harness looks aside":        {"harness/observe/a.go", `package observe; import _ "paysandbox/harness/verify"`, "harness/observe may not import harness/verify, which"},
		"harness outside the plan":   {"harness/extra/a.go", `package extra; import _ "paysandbox/harness/clause"`, "harness/extra may not import harness/clause, which"},
		"adapters know no siblings":  {"mockserver/api/a.go", `package api; import _ "paysandbox/mockserver/hosted"`, "mockserver/api may not import mockserver/hosted"},
		"the module's root":          {"mockserver/api/a.go", `package api; import _ "paysandbox"`, "mockserver/api may not import paysandbox"},
		"a package outside the plan": {"mockserver/util/a.go", `package util`, "mockserver/util is not in the house's plan"},
		"world with JSON":            {"mockserver/world/a.go", world + `import "encoding/json"`, "mockserver/world imports encoding/json"},
		"a ledger that locks":        {"mockserver/delivery/a.go", `package delivery; import "sync"`, "mockserver/delivery imports sync"},
		"world with atomics":         {"mockserver/world/a.go", world + `import "sync/atomic"`, "mockserver/world imports sync/atomic"},
		"the time of day":            {"mockserver/world/a.go", world + `import "time"; var _ = time.Now()`, "time.Now in a deterministic package"},
		"a renamed import":           {"mockserver/world/a.go", world + `import clock "time"; var now = clock.Now`, "time.Now in a deterministic package"},
		"a dot import":               {"mockserver/world/a.go", world + `import . "time"; var _ = Now()`, "dot import of time"},
		"a sleep":                    {"mockserver/tape/a.go", `package tape; import "time"; func f() { time.Sleep(1) }`, "time.Sleep in a deterministic package"},
		"global randomness":          {"mockserver/wire/a.go", `package wire; import "math/rand/v2"; var _ = rand.IntN(3)`, "math/rand/v2.IntN in a deterministic package"},
		"a random id":                {"mockserver/api/a.go", `package api; import "github.com/google/uuid"; var _ = uuid.New()`, "github.com/google/uuid.New in a deterministic package"},
		"the time of day elsewhere":  {"mockserver/hosted/a.go", `package hosted; import "time"; var _ = time.Since`, "time.Since outside"},
		"the time of day in its place": {"mockserver/integration/a.go", "// Package integration.\npackage integration\n" +
			`import "time"; var _ = time.Now()`, ""},
		"an expression at start": {"mockserver/tape/a.go", "// Package tape.\npackage tape\n" + `import "regexp"; var _ = regexp.MustCompile("a")`, "compiles an expression when any command starts"},
		"an expression when asked for": {"mockserver/tape/a.go", "// Package tape.\npackage tape\n" +
			`import ("regexp"; "sync"); var _ = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("a") })`, ""},
		"a name too many":         {"common/a.txt", "", "common does not belong at the top level"},
		"a name that git ignores": {".build/tool", "", ""},
		"a package without words": {"mockserver/tape/a.go", "package tape", "package mockserver/tape has no package comment"},
		"a package with others'":  {"mockserver/tape/a.go", "// Package type is.\npackage tape", "package mockserver/tape has no package comment"},
		"a long test":             {"mockserver/tape/a_test.go", "package tape" + strings.Repeat("\n//", 500), "501 lines"},
		"a long file":             {"mockserver/tape/a.go", "// Package tape.\npackage tape" + strings.Repeat("\n//", 299), "301 lines"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := judge(t, fstest.MapFS{
				".gitignore": {Data: []byte("# tools\n/.build/\n")},
				tc.path:      {Data: []byte(tc.text)},
			})
			if tc.want == "" {
				require.Empty(t, got)
				return
			}
			require.Contains(t, strings.Join(got, "\n"), tc.want)
		})
	}
}

// TestAWidePackageIsFoundOut: more than fifteen files want a seam, but in a family.
func TestAWidePackageIsFoundOut(t *testing.T) {
	t.Parallel()
	for dir, wide := range map[string]bool{"mockserver/tape": true, "mockserver/world": false} {
		tree := fstest.MapFS{".gitignore": {Data: []byte("/.build/\n")}}
		for n := range maxFiles + 1 {
			name := path.Base(dir)
			tree[dir+"/"+string(rune('a'+n))+".go"] = &fstest.MapFile{Data: []byte("// Package " + name + " is.\npackage " + name)}
		}
		require.Equal(t, wide, strings.Contains(strings.Join(judge(t, tree), "\n"), "16 files"), dir)
	}
}

// TestLinterKnowsTheHouse holds depguard's rules to the table, both ways.
func TestLinterKnowsTheHouse(t *testing.T) {
	t.Parallel()
	linter := depguardTable(t)
	for _, r := range house() {
		may, ruled := linter[r.pkg]
		require.Equal(t, !r.anything, ruled, "a depguard rule for %s", r.pkg)
		require.ElementsMatch(t, r.may, may, r.pkg)
		delete(linter, r.pkg)
	}
	require.Empty(t, linter, "depguard rules for packages without a row")
}

// depguardTable reads who may import whom from the linter's settings.
func depguardTable(t *testing.T) map[string][]string {
	t.Helper()
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]struct {
						Files, Allow []string
						Deny         []struct{ Pkg string }
					}
				}
			}
		}
	}
	text, err := os.ReadFile("../.golangci.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &config))
	table := map[string][]string{}
	for _, rule := range config.Linters.Settings.Depguard.Rules {
		if rule.Deny[0].Pkg != module {
			continue
		}
		may := []string{}
		for _, allowed := range rule.Allow {
			require.Regexp(t, `[$/]$`, allowed, "an allowed package ends in $, or in / for a folder")
			pkg := strings.TrimSuffix(strings.TrimPrefix(allowed, module+"/"), "$")
			if strings.HasSuffix(pkg, "/") {
				pkg += "*"
			}
			may = append(may, pkg)
		}
		for _, glob := range rule.Files {
			if pkg, ours := strings.CutPrefix(glob, "**/"); ours {
				table[strings.ReplaceAll(strings.TrimSuffix(pkg, "/*.go"), "**", "*")] = may
			}
		}
	}
	return table
}
