// Package seal signs a stored report and says who has signed one. What is signed is an
// in-toto statement of the predicate test-result, as a file of its own; the signature is
// one of OpenSSH or of minisign, as the key is, so that `ssh-keygen -Y verify` or
// `minisign -V` reads it without this program, and that of an SSH key in a DSSE envelope
// once more, which `cosign verify-blob-attestation` reads. The package judges nothing, and reads and
// writes no file.
package seal
