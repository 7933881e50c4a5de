"""Lark's encrypted bodies: AES-256-CBC under the hash of the app's encrypt key."""

import base64
import binascii
import hashlib

from shared.errors import Unauthenticated

_BLOCK = 16
"""Bytes of an AES block, and of the vector in front of the first."""


def decrypt(encrypted: str, encrypt_key: str) -> bytes:
    """What Lark encrypted with this key; anything else is Unauthenticated, without saying why."""
    # Not needed by a function that serves no Lark webhook.
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC

    try:
        data = base64.b64decode(encrypted, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unauthenticated("the body cannot be decrypted") from error
    if len(data) < 2 * _BLOCK or len(data) % _BLOCK:
        raise Unauthenticated("the body cannot be decrypted")
    key = hashlib.sha256(encrypt_key.encode()).digest()
    decryptor = Cipher(AES(key), CBC(data[:_BLOCK])).decryptor()
    padded = decryptor.update(data[_BLOCK:]) + decryptor.finalize()
    padding = padded[-1]
    if not 0 < padding <= _BLOCK or padded[-padding:] != bytes([padding]) * padding:
        raise Unauthenticated("the body cannot be decrypted")
    return padded[:-padding]
