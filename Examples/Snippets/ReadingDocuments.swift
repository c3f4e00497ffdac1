// The snippet of JSONDocument's documentation, which quotes it line by line.

import JWTCore

func address(ofKeysIn bytes: [UInt8]) throws -> String? {
    let document = try JSONDocument(parsing: bytes.span)
    let address = document.root["jwks_uri"]?.string
    return address
}
