"""Encrypts and decrypts with three other implementations: cases in JSON on standard input, answers in JSON on standard output."""
import json
import sys
import warnings

warnings.simplefilter("ignore")

import authlib.jose
import joserfc.jwe
import joserfc.jwk
import jwcrypto.jwe
import jwcrypto.jwk


def header(case):
    return {"alg": case["alg"], "enc": case["enc"], "kid": case["kid"], "cty": "JWT"}


class Joserfc:
    @staticmethod
    def encrypt(case):
        key = joserfc.jwk.import_key(json.loads(case["encryptionKey"]))
        return joserfc.jwe.encrypt_compact(header(case), case["content"], key, algorithms=[case["alg"], case["enc"]])

    @staticmethod
    def decrypt(case):
        key = joserfc.jwk.import_key(json.loads(case["decryptionKey"]))
        return joserfc.jwe.decrypt_compact(case["token"], key, algorithms=[case["alg"], case["enc"]]).plaintext.decode()


class Jwcrypto:
    @staticmethod
    def encrypt(case):
        token = jwcrypto.jwe.JWE(case["content"].encode(), json.dumps(header(case)), algs=[case["alg"], case["enc"]])
        token.add_recipient(jwcrypto.jwk.JWK.from_json(case["encryptionKey"]))
        return token.serialize(compact=True)

    @staticmethod
    def decrypt(case):
        token = jwcrypto.jwe.JWE(algs=[case["alg"], case["enc"]])
        token.deserialize(case["token"], jwcrypto.jwk.JWK.from_json(case["decryptionKey"]))
        return token.payload.decode()


class Authlib:
    @staticmethod
    def encrypt(case):
        key = authlib.jose.JsonWebKey.import_key(json.loads(case["encryptionKey"]))
        return authlib.jose.JsonWebEncryption().serialize_compact(header(case), case["content"].encode(), key).decode()

    @staticmethod
    def decrypt(case):
        key = authlib.jose.JsonWebKey.import_key(json.loads(case["decryptionKey"]))
        return authlib.jose.JsonWebEncryption().deserialize_compact(case["token"], key)["payload"].decode()


def attempt(function, case):
    try:
        return function(case)
    except Exception as error:  # noqa: BLE001 - each refusal is an answer
        return f"{type(error).__name__}: {error}"


answers = []
for case in json.load(sys.stdin):
    for peer in (Joserfc, Jwcrypto, Authlib):
        answers.append(
            {
                "peer": peer.__name__,
                "place": case["place"],
                "token": attempt(peer.encrypt, case),
                "content": attempt(peer.decrypt, case),
            }
        )
json.dump(answers, sys.stdout)
