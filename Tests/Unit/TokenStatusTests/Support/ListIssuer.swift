import JWTCore
import JWTTestSupport
import TokenStatus

/// An issuer of Status List Tokens, and what is judged of them.
enum ListIssuer {
    static let uri = "https://example.com/statuslists/1"
    static let forge = TokenForge(.edDSA)

    /// The claims of a token with the list `text`.
    static func claims(_ text: String, bits: Int = 1) -> String {
        #"{"sub":"\#(uri)","iat":1700000000,"status_list":{"bits":\#(bits),"lst":"\#(text)"}}"#
    }

    static func token(_ claims: String, type: String? = "statuslist+jwt") -> String { forge.token(claims, type: type) }

    /// The list in a token with the list `text`, which may have 16 MiB.
    static func list(_ text: String, bits: Int = 1, maximumBytes: Int = 1 << 24) throws -> VerifiedStatusList {
        let verifier = StatusListVerifier(keys: forge.keySet, maximumBytes: maximumBytes)
        return try verifier.verify(token(claims(text, bits: bits)), uri: uri, now: TokenForge.now)
    }
}

/// "valid", the name of the code, or that of the verifier's code behind it, for tables of cases.
func outcome(_ body: () throws -> VerifiedStatusList) -> String {
    do {
        _ = try body()
        return "valid"
    } catch let error as StatusListError {
        return error.cause?.code.name ?? error.code.name
    } catch {
        return "\(error)"
    }
}

extension VerifiedStatusList {
    /// The statuses that are not zero, by index.
    var statuses: [Int: UInt8] {
        var statuses: [Int: UInt8] = [:]
        for index in 0..<count { if let status = status(at: index), status != 0 { statuses[index] = status } }
        return statuses
    }
}
