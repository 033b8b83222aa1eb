package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/crypto/ssh"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/seal"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// statementSuffix is what stands beside a report that is signed, and its signature beside
// that: with seal.SSHSuffix or seal.MinisignSuffix.
const statementSuffix = ".intoto.json"

// signFlag is the key with which reports are signed.
type signFlag struct {
	path string
	key  seal.Key
}

func (s *signFlag) declare(fs *pflag.FlagSet) {
	fs.StringVar(&s.path, "sign", "", "sign each --format json=FILE with this ed25519 key of ssh-keygen, minisign or OpenSSL: an in-toto statement in FILE"+statementSuffix+
		", its signature beside it as "+seal.SSHSuffix+" or "+seal.MinisignSuffix+", for cosign in FILE"+seal.EnvelopeSuffix+" (passphrase: PAYSANDBOX_SIGN_PASSPHRASE)")
}

// read reads the key before the work is done, and asks for something to sign.
func (s *signFlag) read(formats []string, env lookup) error {
	if s.path == "" {
		return nil
	}
	if !signable(formats) {
		return badUsage("add --format json=report.json", "--sign signs stored reports, and none is written as JSON to a file")
	}
	text, err := os.ReadFile(s.path)
	if err != nil {
		return badUsage("give a key that `ssh-keygen -t ed25519` or `minisign -G` has made", "--sign: %w", err)
	}
	passphrase, _ := env("PAYSANDBOX_SIGN_PASSPHRASE")
	s.key, err = seal.ReadKey(text, []byte(passphrase))
	switch {
	case errors.Is(err, seal.ErrPassphrase):
		return badUsage("put its passphrase into PAYSANDBOX_SIGN_PASSPHRASE", "--sign %s: %w", s.path, err)
	case err != nil:
		return badUsage("give a key that `ssh-keygen -t ed25519` or `minisign -G` has made", "--sign %s: %w", s.path, err)
	}
	return nil
}

// signable says whether a report is written as JSON to a file.
func signable(formats []string) bool {
	targets, err := format.ParseTargets(formats)
	if err != nil {
		return true // that is told where the reports are opened
	}
	for _, t := range targets {
		if t.Format == "json" && t.Path != "" {
			return true
		}
	}
	return false
}

// sealReport writes the statement about a stored report and its signature beside it.
func sealReport(path string, r *report.Report, key seal.Key) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("%s is no file that could be signed: what is stored there cannot be read again", path))
	}
	stored, err := os.ReadFile(path) //nolint:gosec // G304: the user names the file
	if err != nil {
		return err
	}
	statement, err := seal.State(r, stored)
	if err != nil {
		return err
	}
	signature, err := key.Sign(statement)
	if err != nil {
		return err
	}
	envelope, err := key.Envelope(statement)
	if err != nil {
		return err
	}
	for _, old := range []string{statementSuffix + seal.SSHSuffix, statementSuffix + seal.MinisignSuffix, seal.EnvelopeSuffix} { // of another kind, and about another report now
		if err := os.Remove(path + old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if envelope != nil {
		err = replaceFile(path+seal.EnvelopeSuffix, envelope, 0o644)
	}
	return errors.Join(err, replaceFile(path+statementSuffix, statement, 0o644), replaceFile(path+statementSuffix+key.Suffix(), signature, 0o644))
}

// signed says who has signed a report, and whether the tape is the one that was signed
// with it; empty for a report that nobody has signed. With a list of signers it has to be
// one of them: anything else is an error with the exit code of a broken rule.
func signed(told *report.Report, reportPath, tapePath, signersPath string, now time.Time) (string, error) {
	bad := func(err error) error { return &verdictError{code: verdict.CodeFailed, text: err.Error()} }
	statement, err := readAtMost(reportPath+statementSuffix, seal.MaxStatement)
	if errors.Is(err, os.ErrNotExist) {
		if signersPath != "" {
			return "", bad(fmt.Errorf("the report is not signed: there is no %s%s", reportPath, statementSuffix))
		}
		return "", nil
	}
	if err != nil {
		return "", bad(err)
	}
	list, err := believed(signersPath)
	if err != nil {
		return "", err
	}
	by, err := signedBy(reportPath+statementSuffix, statement, list, now)
	if err != nil {
		return "", bad(err)
	}
	if err := sealedAlike(reportPath, statement, by.public); err != nil {
		return "", bad(err)
	}
	if err := signedThese(statement, told, reportPath, tapePath); err != nil {
		return "", bad(err)
	}
	switch {
	case signersPath == "" && by.checked:
		return "signed with the key " + by.key + ", which may be anybody's: name who is believed with --signers", nil
	case signersPath == "":
		return "signed with the key " + by.key + ", which nobody has checked: give its public key with --signers", nil
	case by.who == "":
		return "", bad(fmt.Errorf("the report is signed with the key %s, which %s does not hold for today", by.key, signersPath))
	default:
		return fmt.Sprintf("signed by %s (%s): this report, and this tape", strings.ReplaceAll(by.who, ",", ", "), by.key), nil
	}
}

// signature is what is known of one: who is believed to have made it, "" for nobody, the
// key, and whether it was held to the key at all.
type signature struct {
	who, key string
	checked  bool
	public   ssh.PublicKey // nil for one of minisign
}

var signatureSuffixes = []string{seal.SSHSuffix, seal.MinisignSuffix}

// signedBy reads the signatures beside a statement. Each has to hold, and one of somebody
// who is believed goes before the others.
func signedBy(path string, statement []byte, list seal.Signers, now time.Time) (by signature, err error) {
	for _, suffix := range signatureSuffixes {
		text, err := readAtMost(path+suffix, seal.MaxSignature)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var one signature
		if err == nil {
			one, err = readSignature(suffix, statement, text, list, now)
		}
		if err != nil {
			return by, fmt.Errorf("%s: %w", path+suffix, err)
		}
		if by.who == "" {
			by = one
		}
	}
	if by.key == "" {
		return by, fmt.Errorf("there is no signature beside %s, as %s or %s", path, seal.SSHSuffix, seal.MinisignSuffix)
	}
	return by, nil
}

// readSignature holds one signature to the statement.
func readSignature(suffix string, statement, text []byte, list seal.Signers, now time.Time) (s signature, err error) {
	if suffix == seal.MinisignSuffix {
		s.who, s.key, err = seal.VerifyMinisign(statement, text, list)
		s.checked = s.who != ""
		return s, err
	}
	key, err := seal.Verify(statement, text)
	if err != nil {
		return s, err
	}
	return signature{list.Who(key, now), seal.Fingerprint(key), true, key}, nil
}

// sealedAlike holds the envelope of a report, where there is one, to what stands beside it.
func sealedAlike(reportPath string, statement []byte, key ssh.PublicKey) error {
	envelope, err := readAtMost(reportPath+seal.EnvelopeSuffix, seal.MaxEnvelope)
	if errors.Is(err, os.ErrNotExist) || key == nil {
		return nil
	}
	if err == nil {
		err = seal.VerifyEnvelope(envelope, statement, key)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", reportPath+seal.EnvelopeSuffix, err)
	}
	return nil
}

// signedThese holds a statement to the two files, and to what the report tells.
func signedThese(statement []byte, told *report.Report, reportPath, tapePath string) error {
	said, err := seal.ReadStatement(statement)
	if err != nil {
		return fmt.Errorf("%s: %w", reportPath+statementSuffix, err)
	}
	stored, err := readAtMost(reportPath, report.MaxReport)
	if err != nil {
		return err
	}
	saved, err := readAtMost(tapePath, tape.DefaultFileBytes)
	if err != nil {
		return err
	}
	if err = said.About(stored, saved); err == nil {
		err = seal.Tells(statement, told, stored)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", reportPath+statementSuffix, err)
	}
	return nil
}

// believed reads the list of people whose signatures are believed; nil where none is named.
func believed(path string) (seal.Signers, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readAtMost(path, 1<<20)
	if err != nil {
		return nil, badUsage("give a file as OpenSSH's allowed_signers, or a public key of minisign or OpenSSL", "--signers: %w", err)
	}
	list, err := seal.ReadSigners(text)
	if err != nil {
		return nil, badUsage("give a file as OpenSSH's allowed_signers, or a public key of minisign or OpenSSL", "--signers %s: %w", path, err)
	}
	return list, nil
}
