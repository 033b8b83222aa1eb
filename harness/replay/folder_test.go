package replay_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
)

// TestAttackACaseFolder: a case that somebody has sent reads nothing outside its folder,
// waits for nobody, and takes no more memory than its bound.
func TestAttackACaseFolder(t *testing.T) {
	t.Parallel()
	const stored = "../../fixtures/cases/choice-list-order"
	outside := filepath.Join(t.TempDir(), "recording.json")
	text, err := os.ReadFile(filepath.Join(stored, "recording.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(outside, text, 0o600))
	for name, change := range map[string]func(path string) error{
		"a link out of it":  func(path string) error { return os.Symlink(outside, path) },
		"an endless device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a pipe":            func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a huge file": func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(path, 1<<40)
		},
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		for _, file := range []string{"case.yaml", "recording.json", "script.json", "replay.tape"} {
			folder := filepath.Join(t.TempDir(), "case")
			require.NoError(t, os.CopyFS(folder, os.DirFS(stored)))
			_, _, _, err := replay.Load(folder)
			require.NoError(t, err)
			require.NoError(t, os.Remove(filepath.Join(folder, file)))
			require.NoError(t, change(filepath.Join(folder, file)))
			_, _, _, err = replay.Load(folder)
			require.ErrorContains(t, err, "no plain file", "%s is %s", file, name)
		}
	}
}

// hostileCases are what somebody may have written into a case.yaml.
func hostileCases() map[string]string {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for n := range 9 {
		was := "*a" + strconv.Itoa(n)
		laughs += "a" + strconv.Itoa(n+1) + ": &a" + strconv.Itoa(n+1) + " [" + strings.Repeat(was+", ", 8) + was + "]\n"
	}
	return map[string]string{
		"a billion laughs":            "case: 2\n" + laughs,
		"laughs where lines belong":   strings.ReplaceAll(laughs, "a9: ", "diagnosis: ") + "case: 2\n",
		"an alias of itself":          "case: 2\ntitle: &a [*a]\n",
		"merges of merges":            "case: 2\nx: &x {<<: *x}\n",
		"deep nesting":                "case: 2\ntitle: " + strings.Repeat("[", 100_000),
		"deep blocks":                 "case: 2\ntitle:\n" + strings.Repeat("- ", 100_000),
		"a number out of range":       "case: 99999999999999999999999\n",
		"an unknown member":           "case: 2\nrun: rm -rf /\n",
		"another type":                "case: 2\nsources: 7\n",
		"a tag":                       "case: 2\ntitle: !!binary x\n",
		"members twice":               "case: 2\ncase: 2\n",
		"no UTF-8":                    "case: 2\ntitle: \"\xff\"\n",
		"two documents":               "case: 2\n---\ncase: 2\n---\n- 1\n",
		"a link that leads elsewhere": "case: 2\nlinks: [{call: -1, pointer: ../../etc, undone: false}]\n",
	}
}

// TestAttackWhatACaseSays: what stands in case.yaml costs no more than its bytes do, and is
// refused with a word of where.
func TestAttackWhatACaseSays(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "case")
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../fixtures/cases/choice-list-order")))
	for what, text := range hostileCases() {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "case.yaml"), []byte(text), 0o600))
		_, _, _, err := replay.Load(folder)
		require.ErrorContains(t, err, "case.yaml", what)
		require.Less(t, len(err.Error()), 1000, what)
	}
}

// FuzzLoad loads the folder of a case of whose files each may say anything.
func FuzzLoad(f *testing.F) {
	const stored = "../../fixtures/cases/choice-list-order"
	names := []string{"case.yaml", "recording.json", "script.json", "replay.tape"}
	folder := filepath.Join(f.TempDir(), "case")
	require.NoError(f, os.CopyFS(folder, os.DirFS(stored)))
	whole := map[string][]byte{}
	for n, name := range names {
		text, err := os.ReadFile(filepath.Join(stored, name))
		require.NoError(f, err)
		whole[name] = text
		f.Add(byte(n), text)
	}
	for _, text := range hostileCases() {
		if len(text) < 1000 { // longer ones are slow to change, and are no news
			f.Add(byte(0), []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		name := names[int(which)%len(names)]
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), text, 0o600))
		s, r, script, err := replay.Load(folder)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), whole[name], 0o600))
		if err != nil {
			require.Contains(t, err.Error(), name)
			return
		}
		require.NotNil(t, r)
		require.NotNil(t, script)
		require.Equal(t, 2, s.Case)
	})
}
