import JWTCore
import JWTTestSupport
import Testing

struct ClaimsDecodingTests {
    private struct Profile: Decodable, Equatable {
        struct Access: Decodable, Equatable {
            let roles: [String]
            let level: UInt8?
        }

        enum Plan: String, Decodable {
            case free, paid
        }

        let sub: String
        let exp: NumericDate
        let email: String?
        let access: [String: Access]
        let plan: Plan
        let shares: [Double?]
        let isStaff: Bool

        enum CodingKeys: String, CodingKey {
            case sub, exp, email, plan, shares
            case access = "resource_access"
            case isStaff = "is_staff"
        }
    }

    private static let payload = #"""
        {"iss":"https://idp.example","sub":"\u0073-1","exp":1700003600.25,"email":null,"plan":"paid","is_staff":true,"unused":[{}],
         "resource_access":{"a":{"roles":["x","y"],"level":255},"b":{"roles":[]}},"shares":[0.1,null,1e2]}
        """#

    private static let profile = Profile(
        sub: "s-1", exp: NumericDate(seconds: 1_700_003_600, nanoseconds: 250_000_000), email: nil,
        access: ["a": .init(roles: ["x", "y"], level: 255), "b": .init(roles: [], level: nil)], plan: .paid, shares: [0.1, nil, 100],
        isStaff: true)

    @Test func keptAndLentClaimsDecodeAsOnesOwnType() throws {
        let forge = Forges.ed25519, verifier = forge.verifier()
        let token = forge.token(Self.payload)
        #expect(try verifier.verify(token, now: TokenForge.now).claims.decode(Profile.self) == Self.profile)
        let lent = try verifier.withVerified(token, now: TokenForge.now) { try $0.decode(Profile.self) }
        #expect(lent == Self.profile)
        #expect(try unverified(Array(token.utf8)) == Self.profile)
    }

    private func unverified(_ token: [UInt8]) throws -> Profile {
        let stated = try UnverifiedClaims(reading: token.span)
        return try stated.value.decode(Profile.self)
    }

    @Test func aTextIsOneStepAway() throws {
        func texts(_ token: VerifiedToken) -> [String?] {
            [token.claims.string("plan"), token.claims.string(.subject), token.claims.string("email"), token.claims.string("shares")]
                + [token.claims.string(.nonce)]
        }
        let token = try Forges.ed25519.verifier().verify(Forges.ed25519.token(Self.payload), now: TokenForge.now)
        #expect(texts(token) == ["paid", "s-1", nil, nil, nil])
    }

    /// U+212A KELVIN SIGN is another name than `K`, and no name has two forms: Swift's strings would be equal.
    @Test(arguments: [#"{"K":"ours","\#u{212A}":"other"}"#, #"{"\u212a":"other","K":"ours"}"#])
    func aNameHasOneForm(_ document: String) throws {
        struct Names: Decodable {
            let K: String
        }
        #expect(try withJSON(document) { try $0.decode(Names.self).K } == "ours")
        #expect(throws: DecodingError.self) { try withJSON(#"{"\u212a":"other"}"#) { try $0.decode(Names.self) } }
    }

    private struct Holder<Value: Decodable>: Decodable { let a: Value }

    /// Member `a` of the document decoded as `T`, or the error's kind, path and text.
    private func decoded<T: Decodable>(_ document: String, as type: T.Type) -> String {
        do {
            return try withJSON(document) { "\(try $0.decode(Holder<T>.self).a)" }
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(_, let context): return "mismatch \(Self.path(context)): \(context.debugDescription)"
            case .valueNotFound(_, let context): return "nothing \(Self.path(context)): \(context.debugDescription)"
            case .keyNotFound(let key, let context): return "no key \(key.stringValue) in \(Self.path(context))"
            case .dataCorrupted(let context): return "corrupted \(Self.path(context)): \(context.debugDescription)"
            @unknown default: return "\(error)"
            }
        } catch {
            return "\(error)"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String { context.codingPath.map(\.stringValue).joined(separator: "/") }

    @Test(
        arguments: [
            ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "corrupted a: The number does not fit into Int64."),
            ("1.0", "corrupted a: The number has a fraction or an exponent."),
            ("1e2", "corrupted a: The number has a fraction or an exponent."), ("-0", "0"),
            (#""1""#, "mismatch a: Expected a number, found a string."), ("true", "mismatch a: Expected a number, found a truth value."),
            ("null", "nothing a: Expected a number, found null."), ("[1]", "mismatch a: Expected a number, found an array."),
        ])
    func integersAreExactOrRefused(written: String, result: String) {
        #expect(decoded("{\"a\":\(written)}", as: Int64.self) == result)
    }

    @Test func everyIntegerTypeHasItsRange() {
        #expect(decoded(#"{"a":18446744073709551615}"#, as: UInt64.self) == "18446744073709551615")
        #expect(decoded(#"{"a":-1}"#, as: UInt64.self) == "corrupted a: The number does not fit into UInt64.")
        #expect(decoded(#"{"a":[127,-128]}"#, as: [Int8].self) == "[127, -128]")
        #expect(decoded(#"{"a":[0,128]}"#, as: [Int8].self) == "corrupted a/1: The number does not fit into Int8.")
        #expect(decoded(#"{"a":[65535]}"#, as: [UInt16].self) == "[65535]")
        #expect(decoded(#"{"a":[1]}"#, as: [UInt].self) == "[1]" && decoded(#"{"a":[1]}"#, as: [Int32].self) == "[1]")
    }

    @Test(
        arguments: [
            ("0.1", "0.1"), ("1e308", "1e+308"), ("1e309", "corrupted a: The number is beyond the range of Double."), ("-5", "-5.0"),
            (#""1""#, "mismatch a: Expected a number, found a string."),
        ])
    func doublesAreTheNearestAndFinite(written: String, result: String) {
        #expect(decoded("{\"a\":\(written)}", as: Double.self) == result)
    }

    @Test(
        arguments: [
            (#"{"b":1}"#, "no key a in "), (#"{"a":{}}"#, "mismatch a: Expected an array, found an object."),
            (#"{"a":["x",{}]}"#, "mismatch a/1: Expected a string, found an object."),
            (#"{"a":["x",null]}"#, "nothing a/1: Expected a string, found null."),
            (#"["a"]"#, "mismatch : Expected an object, found an array."),
        ])
    func whatDoesNotFitIsNamedByItsPathAndNotByItsValue(document: String, result: String) {
        #expect(decoded(document, as: [String].self) == result)
    }

    @Test(arguments: [("1.7e9", 1_700_000_000, 0), ("1700000000.5", 1_700_000_000, 500_000_000), ("-1.5", -2, 500_000_000)])
    func datesAreExactInAnyNotation(written: String, seconds: Int64, nanoseconds: UInt32) throws {
        let date = try withJSON("[\(written)]") { try $0.decode([NumericDate].self) }
        #expect(date == [NumericDate(seconds: seconds, nanoseconds: nanoseconds)])
    }

    /// A type that requests its containers itself.
    private struct Pair: Decodable {
        let first: String
        let rest: [Int]
        let isNull: Bool
        let isAtEnd: Bool

        enum Key: CodingKey { case inner, list }

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Key.self)
            first = try outer.nestedContainer(keyedBy: Key.self, forKey: .inner).decode(String.self, forKey: .list)
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            isNull = try list.decodeNil()
            var inner = try list.nestedUnkeyedContainer()
            var rest: [Int] = []
            while !inner.isAtEnd { rest.append(try inner.decode(Int.self)) }
            self.rest = rest
            isAtEnd = list.isAtEnd && list.currentIndex == 2
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        }
    }

    @Test func nestedContainersWalkTheDocument() throws {
        let pair = try withJSON(#"{"inner":{"list":"x"},"list":[null,[1,2,3]]}"#) { try $0.decode(Pair.self) }
        #expect(pair.first == "x" && pair.rest == [1, 2, 3] && pair.isNull && pair.isAtEnd)
    }

    private class Base: Decodable {
        let a: Int
    }

    private final class Derived: Base {
        let b: Int

        enum Key: CodingKey { case b }

        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            b = try members.decode(Int.self, forKey: .b)
            try super.init(from: members.superDecoder())
        }
    }

    @Test func aSuperclassReadsTheMemberSuper() throws {
        let derived = try withJSON(#"{"b":2,"super":{"a":1}}"#) { try $0.decode(Derived.self) }
        #expect(derived.a == 1 && derived.b == 2)
    }
}
