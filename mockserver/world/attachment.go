package world

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
)

// maxAttachment is the size of the largest attachment in bytes.
const maxAttachment = 10 << 20

// attachment is the row of a file.
type attachment struct {
	id                uuid.UUID
	name, contentType kernel.Text
	// problem says why a file could not be fetched.
	problem kernel.Text
	fetched bool
	asked   bool // the file is to be fetched
}

// Pack lists the fields of an attachment's row.
func (a *attachment) Pack(k *kernel.Codec) {
	k.ID(&a.id)
	k.Texts(&a.name, &a.contentType, &a.problem)
	k.Bools(&a.fetched, &a.asked)
}

// file is an attachment of a request that has been judged; the zero value is
// none.
type file struct {
	name, contentType, url string
	data                   []byte
	digest                 [sha256.Size]byte
	// refusal says why the request cannot be carried out with the file.
	refusal *kernel.Error
}

// pdf is the only media type that was published for attachments.
const pdf = "application/pdf"

// tooLarge refuses an attachment for its size.
func tooLarge() *kernel.Error {
	return &kernel.Error{Code: kernel.TooLarge, Detail: "the attachment was refused: it is larger than 10 MiB, nothing was changed"}
}

// noRoom refuses an attachment because there are too many.
func noRoom() *kernel.Error {
	return &kernel.Error{Code: kernel.TooLarge, Detail: "the attachment was refused: the different files of this integration would take more than 64 MiB, nothing was changed; send files that were sent before, or reset the integration"}
}

// file judges an attachment that is base64 or an address.
func (c *check) file(pointer, value string, form, isPDF rule) file {
	if value == "" {
		return file{}
	}
	if u, ok := kernel.Callable(value); ok {
		return file{name: nameOf(u), url: value}
	}
	if isAddress(value) {
		c.refuse(pointer, kernel.GivenAddress(value), form)
		return file{}
	}
	f := c.base64File(pointer, value, form)
	f.name, f.contentType = "attachment.pdf", pdf
	if f.data != nil && !bytes.HasPrefix(f.data, []byte("%PDF-")) {
		c.advise(pointer, "", isPDF)
		f.name, f.contentType = "attachment", "application/octet-stream"
	}
	return f
}

// base64File decodes an attachment unless it is too large.
func (c *check) base64File(pointer, value string, form rule) file {
	if base64.StdEncoding.DecodedLen(len(value)) > maxAttachment+2 {
		return file{refusal: tooLarge()}
	}
	data, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(data) == 0 {
		c.refuse(pointer, kernel.Quote(value), form)
		return file{}
	}
	if len(data) > maxAttachment {
		return file{refusal: tooLarge()}
	}
	digest := sha256.Sum256(data)
	if !c.w.attachments.fits(digest, len(data)) {
		return file{refusal: noRoom()}
	}
	return file{data: data, digest: digest}
}

// isAddress says whether an attachment is meant as an address: no Base64 begins so.
func isAddress(value string) bool {
	const farthest = 16
	return strings.Contains(value[:min(len(value), farthest)], "://")
}

// nameOf is what the file behind an address is called; a token is no name.
func nameOf(u *url.URL) string {
	if name := path.Base(u.Path); name != "." && name != "/" && !slices.Contains(secret.InAddress(u.String()), path.Base(u.EscapedPath())) {
		return name
	}
	return "attachment"
}

// attach keeps the file of a request and gives its row number, 0 for none. A
// file behind an address is asked for.
func (w *World) attach(f file) uint32 {
	if f.data == nil && f.url == "" {
		return 0
	}
	row := attachment{id: w.core.NewID("attachment"), name: w.texts.KeepString(f.name), contentType: w.texts.KeepString(f.contentType), asked: f.url != "", fetched: f.url == ""}
	_, n := w.attachments.Add(row.id, row)
	w.attachments.files = append(w.attachments.files, w.attachments.keep(f.data, f.digest))
	if f.url != "" {
		w.core.Effect(kernel.Effect{Kind: kernel.FetchAttachment, ID: row.id, URL: f.url})
	}
	return n
}

// FetchedAttachment is what came of the effect FetchAttachment.
type FetchedAttachment struct {
	// ID is the effect's.
	ID uuid.UUID
	// ContentType is what the file's server said, "" when nothing.
	ContentType string
	// Data is the file; the world keeps the slice.
	Data []byte
	// Problem says why there is no file; "" when there is one.
	Problem string
}

// AttachmentFetched takes a file that was asked for. Errors: NotFound for an
// unknown attachment, Conflict for one that has its file, TooLarge.
func (w *World) AttachmentFetched(in FetchedAttachment) error {
	a, n := w.attachments.Find(in.ID)
	switch {
	case a == nil:
		return kernel.NoSuch("attachment", in.ID.String())
	case !a.asked:
		return &kernel.Error{Code: kernel.Conflict, Detail: "the attachment " + in.ID.String() + " has been answered already"}
	case len(in.Data) > maxAttachment:
		return tooLarge()
	}
	a.asked = false
	if in.Problem != "" {
		a.problem = w.texts.KeepString(in.Problem)
		return nil
	}
	if len(in.Data) == 0 {
		a.problem = w.texts.KeepString("the file is empty")
		return nil
	}
	digest := sha256.Sum256(in.Data)
	if !w.attachments.fits(digest, len(in.Data)) {
		a.problem = w.texts.KeepString(noRoom().Detail)
		return nil
	}
	mediaType, _, _ := strings.Cut(in.ContentType, ";")
	a.contentType, a.fetched = w.texts.KeepString(strings.TrimSpace(mediaType)), true
	w.attachments.files[n-1] = w.attachments.keep(in.Data, digest)
	return nil
}

// AttachmentInfo names one attachment of a payment.
type AttachmentInfo struct {
	ID   string `json:"id" format:"uuid" required:"true" example:"2a0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c77"`
	Name string `json:"name" required:"true" example:"invoice.pdf"`
	// ContentType is empty while a file has not been fetched.
	ContentType string `json:"contentType" required:"true" example:"application/pdf"`
}

// attachmentInfo lists the one attachment with the row number, or none.
func (w *World) attachmentInfo(n uint32) []AttachmentInfo {
	if n == 0 {
		return []AttachmentInfo{}
	}
	a := w.attachments.At(n)
	return []AttachmentInfo{{a.id.String(), w.texts.String(a.name), w.texts.String(a.contentType)}}
}

// AttachmentFile is an attachment with its bytes.
type AttachmentFile struct {
	ID, Name, ContentType string
	// Data is the caller's own copy; empty while Waiting or with a Problem, and when Lost.
	Data []byte
	// Waiting says that the file has not been fetched yet, Problem why it
	// could not be.
	Waiting bool
	Problem string
	// Lost says why a file that was there cannot be had any more.
	Lost string
}

// AttachmentOf gives an attachment by its id. An unknown one is NotFound.
func (w *World) AttachmentOf(id string) (AttachmentFile, error) {
	a, n, err := w.attachments.Lookup("attachment", id)
	if err != nil {
		return AttachmentFile{}, err
	}
	f := AttachmentFile{
		ID: a.id.String(), Name: w.texts.String(a.name), ContentType: w.texts.String(a.contentType),
		Waiting: a.asked, Problem: w.texts.String(a.problem),
	}
	if !f.Waiting && f.Problem == "" {
		f.Data, f.Lost = w.attachments.copyOf(w.attachments.files[n-1])
	}
	return f, nil
}
