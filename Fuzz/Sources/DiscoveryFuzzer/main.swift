import FuzzInput
import JWKSCache
import JWTCore

/// Fuzzes an issuer's metadata, and tokens that name the issuer: the first line of an input is the issuer, the rest is the document.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ room: Int, _ seed: UInt32) -> Int {
    let head = (0..<size).first { data[$0] == UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
    return Mutation.replaceJSON(data, size, room, seed: seed, after: head, by: .metadata)
}

Fuzzer.run { input in
    var reader = InputReader(input)
    let issuer = String(decoding: reader.part(until: UInt8(ascii: "\n")), as: UTF8.self)
    checkAddresses(of: issuer)
    // A longer one, whose characters may have escapes of six bytes, could make a token that is too long.
    if issuer.utf8.count <= 1_000 {
        Tenants.check(issuer)
        Tenants.check(pattern: issuer)
    }
    do throws(RefreshFailure) {
        let metadata = try IssuerMetadata(Array(reader.rest), of: issuer)
        precondition(metadata.keysURL.hasPrefix("https://") || !issuer.hasPrefix("https://"), "keys of an https issuer over http")
        precondition(metadata.keysURL.hasPrefix("http"), "keys that no HTTP client can fetch")
        guard let document = try? JSONDocument(parsing: reader.rest.span) else { preconditionFailure("accepted, and no document") }
        precondition(document.root["issuer"]?.utf8 == Array(issuer.utf8), "the metadata of another issuer")
    } catch {
        ReachedCodes.note("refresh." + error.code)
    }
}

/// An address is of the issuer's own origin, and printable.
func checkAddresses(of issuer: String) {
    guard let addresses = IssuerMetadata.addresses(of: issuer) else { return }
    let origin = issuer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    for address in addresses {
        precondition(address.hasPrefix(origin + "/"), "an address of another origin")
        precondition(address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "an unprintable address")
    }
}
