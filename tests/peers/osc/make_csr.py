"""Writes a key and a request to sign a client certificate for it, as a user of a cluster would with openssl."""

import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

key_file, csr_file = sys.argv[1:]
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name(
    [
        x509.NameAttribute(NameOID.COMMON_NAME, "carol"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "developers"),
    ]
)
request = x509.CertificateSigningRequestBuilder().subject_name(name).sign(key, hashes.SHA256())
with open(key_file, "wb") as file:
    file.write(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
with open(csr_file, "wb") as file:
    file.write(request.public_bytes(serialization.Encoding.PEM))
