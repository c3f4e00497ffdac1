import Foundation
import JWTCore
import JWTDecryption
import JWTTestSupport
import Testing

/// The examples of RFC 7520 section 5 and of RFC 8037 appendix A.6, from the IETF's cookbook. What is not supported is refused for that.
@Suite(.enabled(if: ConformanceFolder.names("rfc/cookbook/jwe").count > 0))
struct EncryptionCookbookTests {
    /// The file without its title, and the code of the compact form; nil if it opens.
    private static let examples: [(file: String, code: String?)] = [
        ("5_1.", "unsupported_algorithm"), ("5_2.", nil), ("5_3.", "unsupported_algorithm"), ("5_4.", nil), ("5_5.", nil), ("5_6.", nil),
        ("5_7.", "unsupported_algorithm"), ("5_8.", "unsupported_algorithm"), ("5_9.", "unsupported_algorithm"),
    ]

    private static func example(_ start: String, in folder: String = "rfc/cookbook/jwe") -> [String: Any] {
        let name = ConformanceFolder.names(folder).first { $0.hasPrefix(start) }
        return name.map { ConformanceInput.object("\(folder)/\($0)") } ?? [:]
    }

    /// The content as text, or the code.
    private static func outcome(_ token: String, _ key: Any?) -> String {
        let key = try? DecryptionKey(jwk: ConformanceInput.document(key))
        do throws(VerificationError) {
            let content = try Decryptor(keys: key.map { [$0] } ?? []).content(of: token.utf8.span, needsContentType: false)
            return String(decoding: content, as: UTF8.self)
        } catch {
            return error.code.name
        }
    }

    @Test func everyCompactFormOpensOrIsRefusedByName() throws {
        for (file, code) in Self.examples {
            let example = Self.example(file), input = try #require(example["input"] as? [String: Any], "\(file)")
            let token = try #require((example["output"] as? [String: Any])?["compact"] as? String)
            let content = try #require(input["plaintext"] as? String)
            #expect(Self.outcome(token, input["key"]) == code ?? content, "\(file)")
        }
    }

    /// The forms in JSON are no compact tokens. Examples 5.10 to 5.13 have no other form.
    @Test func everyFormInJSONIsRefused() throws {
        var forms = 0
        for file in Self.examples.map(\.file) + ["5_10.", "5_11.", "5_12.", "5_13."] {
            let example = Self.example(file), input = try #require(example["input"] as? [String: Any], "\(file)")
            let output = try #require(example["output"] as? [String: Any])
            for name in ["json", "json_flat"] {
                guard let form = output[name] else { continue }
                let text = String(decoding: ConformanceInput.document(form), as: UTF8.self)
                let codes = ["malformed_token", "unencrypted_token", "invalid_base64url"]
                #expect(codes.contains(Self.outcome(text, input["key"])), "\(file) \(name)")
                forms += 1
            }
        }
        #expect(forms == 25)
    }

    @Test func aChangedPartDoesNotOpen() throws {
        for (file, code) in Self.examples where code == nil {
            let example = Self.example(file), input = try #require(example["input"] as? [String: Any])
            let token = try #require((example["output"] as? [String: Any])?["compact"] as? String)
            var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            for place in 1..<parts.count where !parts[place].isEmpty {
                let own = parts[place]
                parts[place] = (own.hasPrefix("A") ? "B" : "A") + own.dropFirst()
                #expect(Self.outcome(parts.joined(separator: "."), input["key"]) == "decryption_failed", "\(file) part \(place)")
                parts[place] = own
            }
        }
    }

    @Test func anAgreementOnX25519Opens() throws {
        let example = Self.example("ecdh-es", in: "rfc/cookbook/curve25519"), input = try #require(example["input"] as? [String: Any])
        let token = try #require((example["output"] as? [String: Any])?["compact"] as? String)
        #expect(Self.outcome(token, input["key"]) == input["plaintext"] as? String)
    }
}
