package control

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/spelling"
)

// NewSnapshot is the body that keeps a snapshot.
type NewSnapshot struct {
	// Name is what it is called from now on; snapshot-1, snapshot-2, … when it is left out.
	Name string `json:"name" example:"before-refunds"`
}

// SnapshotView is a snapshot that is kept.
type SnapshotView struct {
	// ID is what paths take. It is the name, which no other snapshot of the integration has.
	ID   string `json:"id" required:"true" example:"before-refunds"`
	Name string `json:"name" required:"true" example:"before-refunds"`
	// Time is the virtual time at which it was taken, and Entry the newest entry then.
	Time  string `json:"time" format:"date-time" required:"true" example:"2026-03-02T17:00:00Z"`
	Entry uint64 `json:"entry" required:"true" example:"120"`
	// Entities and TapeEntries are how much it holds, and Bytes how large its file is.
	Entities    int `json:"entities" required:"true" example:"12"`
	TapeEntries int `json:"tapeEntries" required:"true" example:"120"`
	Bytes       int `json:"bytes" required:"true" example:"61440"`
}

// SnapshotList lists the snapshots of an integration, oldest first.
type SnapshotList struct {
	Snapshots []SnapshotView `json:"snapshots" required:"true" nullable:"false"`
}

// NewFork is the body that forks. Every member may be left out.
type NewFork struct {
	// Name is for people; the id follows from it and the seed.
	Name string `json:"name" example:"checkout tests"`
	// ClientID and ClientSecret are drawn when they are left out.
	ClientID     string `json:"clientId" example:"my-client"`
	ClientSecret string `json:"clientSecret" mask:"true" example:"my-secret"`
}

func viewSnapshot(name string, s *integration.Snapshot) SnapshotView {
	return SnapshotView{
		ID: name, Name: name, Time: s.Now.Format(time.RFC3339Nano), Entry: s.Seq, Entities: s.Entities, TapeEntries: s.Entries, Bytes: len(s.Bytes()),
	}
}

func listSnapshots(_ *exchange, i *integration.Integration) (SnapshotList, error) {
	list := SnapshotList{Snapshots: []SnapshotView{}}
	for _, s := range i.Saved() {
		list.Snapshots = append(list.Snapshots, viewSnapshot(s.Name, s.Snapshot))
	}
	return list, nil
}

func saveSnapshot(_ *exchange, i *integration.Integration, req *NewSnapshot) (SnapshotView, error) {
	const most = 100
	if strings.Trim(req.Name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") != "" || len(req.Name) > most || strings.Trim(req.Name, ".") == "" && req.Name != "" {
		return SnapshotView{}, invalid(wrong("/name", "control.snapshot.name", quoted(req.Name), "1 to 100 letters, digits, dots, hyphens and underscores", "choose another name"))
	}
	s, err := i.Save(req.Name)
	if errors.Is(err, integration.ErrSavedName) {
		return SnapshotView{}, &kernel.Error{Code: kernel.Conflict, Detail: err.Error(), Findings: []kernel.Finding{
			wrong("/name", "control.snapshot.name-taken", quoted(req.Name), "a name that no snapshot of this integration has", "choose another one, or delete that one first"),
		}}
	}
	if err != nil {
		return SnapshotView{}, unsaved(err)
	}
	return viewSnapshot(s.Name, s.Snapshot), nil
}

// unsaved tells why a snapshot is not kept, or not taken up.
func unsaved(err error) error {
	var damage *kernel.DamageError
	switch {
	case errors.Is(err, integration.ErrTooManySaved):
		return &kernel.Error{Code: kernel.Conflict, Detail: err.Error()}
	case errors.Is(err, integration.ErrLostFile):
		return &kernel.Error{Code: kernel.Conflict, Detail: err.Error()}
	case errors.Is(err, budget.ErrNoRoom):
		return &kernel.Error{Code: kernel.Full, Detail: err.Error()}
	case errors.As(err, &damage):
		return invalid(wrong("", "control.snapshot.damaged", strings.TrimLeft(damage.Place()+": "+damage.Received, ": "), damage.Expected, "save the snapshot again, or load it by the version that wrote it"))
	}
	return uncreated(err)
}

// snapshot finds the one that the path names.
func (x *exchange) snapshot(i *integration.Integration) (*integration.Snapshot, error) {
	return savedAs(i, x.Param("s"))
}

func savedAs(i *integration.Integration, name string) (*integration.Snapshot, error) {
	names := []string{}
	for _, s := range i.Saved() {
		if s.Name == name {
			return s.Snapshot, nil
		}
		names = append(names, s.Name)
	}
	e := kernel.NoSuch("snapshot", door.Clip(name))
	if len(names) > 0 {
		e.Detail += "; nearest: " + spelling.Nearest(name, names)
	}
	return nil, e
}

func deleteSnapshot(x *exchange, i *integration.Integration) (door.Empty, error) {
	was, err := i.Unsave(x.Param("s"))
	if err == nil && !was {
		_, err = x.snapshot(i)
	}
	return door.Empty{}, err
}

func restoreSnapshot(x *exchange, i *integration.Integration) (IntegrationView, error) {
	s, err := x.snapshot(i)
	if err == nil {
		err = i.Restore(s)
	}
	if err != nil {
		return IntegrationView{}, unsaved(err)
	}
	return x.view(i), nil
}

func forkSnapshot(x *exchange, i *integration.Integration, req *NewFork) (IntegrationView, error) {
	j := &judge{}
	j.text("/name", "name", req.Name)
	j.text("/clientId", "client-id", req.ClientID)
	j.text("/clientSecret", "client-secret", req.ClientSecret)
	if j.findings != nil {
		return IntegrationView{}, invalid(j.findings...)
	}
	s, err := x.snapshot(i)
	if err != nil {
		return IntegrationView{}, err
	}
	return x.fork(s, integration.Options{Name: req.Name, ClientID: req.ClientID, ClientSecret: req.ClientSecret})
}

func (x *exchange) fork(s *integration.Snapshot, o integration.Options) (IntegrationView, error) {
	fork, err := x.control.opts.Registry.Fork(s, o)
	if err != nil {
		return IntegrationView{}, unsaved(err)
	}
	return x.view(fork), nil
}

func snapshotRoutes() []*route {
	const tag, all = "Snapshots", Prefix + "/integrations/{i}/snapshots"
	const one = all + "/{s}"
	file := row("downloadSnapshot", http.MethodPost, one+"/download", reads(downloadSnapshot), nil, SnapshotFile{}).
		About(tag, "Download a snapshot as a file").
		Says("The file holds the integration's secrets, so that who only looks does not get it. It can be served from (`paysandbox serve --from FILE`), and loaded elsewhere.")
	file.Media = []string{snapshotMedia}
	return []*route{
		row("saveSnapshot", http.MethodPost, all, readsWith(saveSnapshot).optional(), NewSnapshot{}, SnapshotView{}).
			About(tag, "Keep the integration as it is now: world, tape, clock, faults, and what is under way").
			Says("At most 100 are kept, within --memory. They outlive a reset, and go with the integration.").Fails(http.StatusConflict),
		row("listSnapshots", http.MethodGet, all, reads(listSnapshots), nil, SnapshotList{}).About(tag, "List the snapshots"),
		row("deleteSnapshot", http.MethodDelete, one, reads(deleteSnapshot), nil, door.Empty{}).About(tag, "Forget a snapshot"),
		row("restoreSnapshot", http.MethodPost, one+"/restore", reads(restoreSnapshot), nil, IntegrationView{}).
			About(tag, "Make the integration what it was").
			Says("Its id, credentials and access tokens stay. Time goes on from where it stood; what was under way leaves again."),
		row("forkSnapshot", http.MethodPost, one+"/fork", readsWith(forkSnapshot).optional(), NewFork{}, IntegrationView{}).
			About(tag, "Make another integration that goes on from a snapshot").
			Says("Asked the same, it answers the same, byte for byte, but for its id and credentials, and what follows from them: access tokens and the addresses of pages.").
			Fails(http.StatusConflict),
		file,
		row("load", http.MethodPost, Prefix+"/integrations/{i}/load", reads(load).itself(), nil, Loaded{}).
			About(tag, "Make the integration what a snapshot's file or a saved tape holds").
			Says("The body is the file. A tape is played again from its first entry, and has to come to the same bytes.").
			With(queryParam("dryRun", "true", "Say only whether it would load, and why not.")).Fails(http.StatusBadRequest, http.StatusRequestEntityTooLarge),
	}
}
