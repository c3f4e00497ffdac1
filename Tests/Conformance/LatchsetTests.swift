import Foundation
import JWTCore
import JWTTestSupport
import Testing

/// The examples of RFC 7515 appendix A, RFC 7517, RFC 7520 sections 3 and 4 and RFC 7638, from José's tests.
@Suite(.enabled(if: ConformanceFolder.isThere))
struct LatchsetTests {
    private static let claims = Array(#"{"iss":"joe",\#r\#n "exp":1300819380,\#r\#n "http://example.com/is_root":true}"#.utf8)

    private static func file(_ name: String) -> [UInt8] { ConformanceFolder.bytes("rfc/latchset/\(name)") }
    private static func text(_ name: String) -> String { String(decoding: file(name), as: UTF8.self) }

    private static func keys(_ name: String) -> Keys {
        let set = file("\(name).jwkset")
        return Keys(document: set.isEmpty ? file("\(name).jwk") : set)
    }

    private static func payload(_ name: String) -> [UInt8] {
        if name == "rfc7515_A.4" { return Array("Payload".utf8) }
        return name.hasPrefix("rfc7515") ? claims : file("rfc7520_4.5.payl")
    }

    @Test(arguments: [
        "rfc7515_A.1", "rfc7515_A.2", "rfc7515_A.3", "rfc7515_A.4", "rfc7520_4.1", "rfc7520_4.2", "rfc7520_4.3", "rfc7520_4.4",
    ])
    func compactTokensAreValid(name: String) {
        #expect(Judgement(jws: Self.text("\(name).jwsc"), Self.keys(name)) == Judgement("valid", Self.payload(name)))
    }

    @Test
    func detachedTokenIsValidWithItsPayloadAlone() {
        let name = "rfc7520_4.5", token = Self.text("\(name).jwsc"), payload = Self.payload(name)
        #expect(Judgement(detached: token, payload, Self.keys(name), .symmetric).verdict == "valid")
        #expect(Judgement(detached: token, payload + [10], Self.keys(name), .symmetric).verdict == "signature_invalid")
        #expect(Judgement(jws: token, Self.keys(name)).verdict == "signature_invalid")
    }

    @Test(arguments: ["jwsf", "jwsg"])
    func jsonSerializationsAreValid(suffix: String) {
        var verdicts: [String] = []
        for name in ConformanceFolder.names("rfc/latchset") where name.hasSuffix(suffix) {
            let example = String(name.dropLast(5)), keys = Self.keys(example)
            for signature in JSONSignature.all(in: ConformanceInput.object("rfc/latchset/\(name)")) {
                let judgement = signature.judgement(keys, apart: Self.payload(example))
                verdicts.append(judgement.verdict)
                if signature.protected != nil {
                    #expect(judgement == Judgement("valid", Self.payload(example)), "\(name)")
                } else {
                    #expect(judgement.verdict == "malformed_token", "\(name)")
                    #expect(signature.isGood(example == "rfc7520_4.7" ? .hs256 : .es512, keys), "\(name)")
                }
            }
        }
        #expect(verdicts.count { $0 == "valid" } == (suffix == "jwsf" ? 7 : 10))
        #expect(verdicts.count { $0 == "malformed_token" } == (suffix == "jwsf" ? 1 : 2))
    }

    @Test(arguments: ["rfc7515_A.1", "rfc7515_A.2", "rfc7515_A.3", "rfc7515_A.4", "rfc7515_A.6", "rfc7520_4.8"])
    func unsecuredTokenIsRefusedWhateverTheKeys(keys: String) {
        #expect(Judgement(jws: Self.text("rfc7515_A.5.jwsc"), Self.keys(keys)).verdict == "unsecured_token")
        #expect(Judgement(jwt: Self.text("rfc7515_A.5.jwsc"), Self.keys(keys), now: 1_300_819_000).verdict == "unsecured_token")
    }

    @Test
    func thumbprintsAreEqual() {
        let names = ConformanceFolder.names("rfc/latchset").filter { $0.hasSuffix(".thp") }
        for name in names { #expect(Self.keys(String(name.dropLast(4))).list.first?.thumbprint == Self.text(name), "\(name)") }
        #expect(names.count == 1)
    }

    @Test(arguments: [
        ("rfc7517_A.1", ["key_use_mismatch", "usable"]), ("rfc7517_A.2", ["key_use_mismatch", "usable"]),
        ("rfc7517_A.3", ["key_algorithm_mismatch", "usable"]), ("rfc7517_B", ["usable"]),
        ("rfc7520_3.1", ["usable"]), ("rfc7520_3.2", ["usable"]), ("rfc7520_3.3", ["usable"]), ("rfc7520_3.4", ["usable"]),
        ("rfc7520_3.5", ["usable"]), ("rfc7520_3.6", ["key_algorithm_mismatch"]), ("rfc7638_3.1", ["usable"]),
        ("rfc7515_A.6", ["usable", "usable"]), ("rfc7520_4.8", ["usable", "usable", "usable"]),
    ])
    func keysAreReadForWhatTheyAre(name: String, expected: [String]) {
        #expect(Self.keys(name).list.map { $0.unusableReason?.name ?? "usable" } == expected)
    }
}
