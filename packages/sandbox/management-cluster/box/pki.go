package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// whole marks a directory whose certificates are all there: one made halfway is made again.
const whole = "whole"

const years = 10

// makeCertificates writes an authority, the API server's and the webhooks' certificates, the administrator's, and the key that
// service accounts are signed with.
func makeCertificates(directory string) error {
	if _, err := os.Stat(filepath.Join(directory, whole)); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(directory, "webhook"), 0o700); err != nil {
		return err
	}
	authority, err := newAuthority(directory)
	if err != nil {
		return err
	}
	loopback := []net.IP{net.IPv4(127, 0, 0, 1)}
	err = errors.Join(
		authority.issue("apiserver", pkix.Name{CommonName: "kube-apiserver"}, x509.ExtKeyUsageServerAuth, loopback),
		authority.issue("webhook/tls", pkix.Name{CommonName: "webhook"}, x509.ExtKeyUsageServerAuth, loopback),
		authority.issue("admin", pkix.Name{CommonName: "jeroboam", Organization: []string{"system:masters"}}, x509.ExtKeyUsageClientAuth, nil),
		serviceAccountKey(directory),
	)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(directory, whole), nil, 0o600)
}

type authority struct {
	directory   string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(directory string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := blank(pkix.Name{CommonName: "jeroboam management cluster"})
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	made := &authority{directory, certificate, key}
	return made, made.write("ca", der, key)
}

func blank(subject pkix.Name) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      subject,
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(years, 0, 0),
	}
}

func (a *authority) issue(name string, subject pkix.Name, usage x509.ExtKeyUsage, addresses []net.IP) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := blank(subject)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	template.IPAddresses = addresses
	if addresses != nil {
		template.DNSNames = []string{"localhost"}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return err
	}
	return a.write(name, der, key)
}

func (a *authority) write(name string, der []byte, key *ecdsa.PrivateKey) error {
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	path := filepath.Join(a.directory, name)
	return errors.Join(
		writePem(path+".crt", "CERTIFICATE", der),
		writePem(path+".key", "PRIVATE KEY", secret),
	)
}

// serviceAccountKey is RSA, since the API server signs nothing else by default.
func serviceAccountKey(directory string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return errors.Join(
		writePem(filepath.Join(directory, "service-account.key"), "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)),
		writePem(filepath.Join(directory, "service-account.pub"), "PUBLIC KEY", public),
	)
}

func writePem(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
