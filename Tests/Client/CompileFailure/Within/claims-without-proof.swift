// Claims cannot be created without a proof.
// Expected: missing argument for parameter 'proof' in call
func claims(
    _ value: JSONValue, _ header: JOSEHeader, _ proof: consuming SignatureVerified
) throws(VerificationError) {
    var places = ClaimPlaces()
    #if VIOLATE
    _ = try Claims(value, places: &places, header: header, base: 0)
    #else
    _ = try Claims(value, places: &places, header: header, proof: proof, base: 0)
    #endif
}
