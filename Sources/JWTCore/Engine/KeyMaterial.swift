/// The decoded public parts of a key, from a JWK or an imported document; the same rules apply to both.
enum KeyMaterial {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ec(Curve, x: [UInt8], y: [UInt8])
    case raw(Curve, [UInt8])
    case secret([UInt8])
}
