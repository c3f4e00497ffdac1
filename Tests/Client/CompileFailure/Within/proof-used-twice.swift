// A proof is for one token: creating Claims consumes it.
// Expected: 'proof' consumed more than once
func claims(
    _ value: JSONValue, _ header: JOSEHeader, _ proof: consuming SignatureVerified
) throws(VerificationError) {
    var places = ClaimPlaces()
    _ = try Claims(value, places: &places, header: header, proof: proof, base: 0)
    #if VIOLATE
    _ = try Claims(value, places: &places, header: header, proof: proof, base: 0)
    #endif
}
