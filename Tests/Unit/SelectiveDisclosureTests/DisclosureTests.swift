import JWTCore
import JWTTestSupport
import SelectiveDisclosure
import Testing

/// How disclosures become claims, and which presentations are refused for theirs (RFC 9901 section 7.1).
struct DisclosureTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let members: String
        let disclosures: [String]
        /// The claims beside `iss` and `exp`, or a code.
        let expected: String

        init(_ name: String, _ members: String, _ disclosures: [String], _ expected: String) {
            (self.name, self.members, self.disclosures, self.expected) = (name, members, disclosures, expected)
        }

        var testDescription: String { name }
    }

    // Disclosures, and what has their digests.
    private static let given = #"["s1","given_name","Jane"]"#
    private static let family = #"["s2","family_name","Doe"]"#
    private static let element = #"["s3","DE"]"#
    private static let decoy = Credential.digest("decoy")

    private static func list(_ disclosures: String...) -> String {
        "[\(disclosures.map { "\"\(Credential.digest($0))\"" }.joined(separator: ","))]"
    }
    private static func place(_ disclosure: String) -> String { #"{"...":"\#(Credential.digest(disclosure))"}"# }

    private static let inner = #"["s4","country",{"code":"DE"}]"#
    private static let outer = #"["s5","address",{"city":"Köln","_sd":\#(list(inner))}]"#
    private static let nestedList = #"["s6",["a",\#(place(element))]]"#

    private static let accepted: [Case] = [
        Case("nothing to disclose", #""a":1"#, [], #""a":1"#),
        Case("one", #""_sd":\#(list(given))"#, [given], #""given_name":"Jane""#),
        Case("none of two", #""_sd":\#(list(given, family))"#, [], ""),
        Case("one of two", #""_sd":\#(list(given, family))"#, [family], #""family_name":"Doe""#),
        Case("in another order", #""_sd":\#(list(given, family))"#, [family, given], #""given_name":"Jane","family_name":"Doe""#),
        Case("a decoy", #""_sd":["\#(decoy)",\#(list(given).dropFirst())"#, [given], #""given_name":"Jane""#),
        Case("digests of no form", #""_sd":["","x","~",\#(list(given).dropFirst())"#, [given], #""given_name":"Jane""#),
        Case("an escaped digest", #""_sd":["\#(escaped(Credential.digest(given)))"]"#, [given], #""given_name":"Jane""#),
        Case("an escaped _sd", #""\u005fsd":\#(list(given))"#, [given], #""given_name":"Jane""#),
        Case("an empty _sd", #""_sd":[],"a":{"_sd":[]}"#, [], #""a":{}"#),
        Case("a decoy of an array", #""a":["x",{"...":"\#(decoy)"}]"#, [], #""a":["x"]"#),
        Case("an element", #""a":[\#(place(element)),"x"]"#, [element], #""a":["DE","x"]"#),
        Case("a hidden element", #""a":["x",\#(place(element)),"y"]"#, [], #""a":["x","y"]"#),
        Case("only hidden elements", #""a":[\#(place(element))]"#, [], #""a":[]"#),
        Case("an element of an element", #""a":[\#(place(nestedList))]"#, [nestedList, element], #""a":[["a","DE"]]"#),
        Case("a hidden element of an element", #""a":[\#(place(nestedList))]"#, [nestedList], #""a":[["a"]]"#),
        Case("recursive", #""_sd":\#(list(outer))"#, [outer, inner], #""address":{"city":"Köln","country":{"code":"DE"}}"#),
        Case("recursive, half", #""_sd":\#(list(outer))"#, [outer], #""address":{"city":"Köln"}"#),
        Case("recursive, inner first", #""_sd":\#(list(outer))"#, [inner, outer], #""address":{"city":"Köln","country":{"code":"DE"}}"#),
        Case("in an object", #""a":{"b":1,"_sd":\#(list(given))}"#, [given], #""a":{"b":1,"given_name":"Jane"}"#),
        Case("in an object of an array", #""a":[{"_sd":\#(list(given))}]"#, [given], #""a":[{"given_name":"Jane"}]"#),
        Case(
            "the same name at two levels", #""given_name":1,"a":{"_sd":\#(list(given))}"#, [given],
            #""given_name":1,"a":{"given_name":"Jane"}"#),
        Case("iss within an object", #""a":{"_sd":\#(list(#"["s","iss","x"]"#))}"#, [#"["s","iss","x"]"#], #""a":{"iss":"x"}"#),
        Case("sub", #""_sd":\#(list(#"["s","sub","jane"]"#))"#, [#"["s","sub","jane"]"#], #""sub":"jane""#),
        Case("iat", #""_sd":\#(list(#"["s","iat",1700000000]"#))"#, [#"["s","iat",1700000000]"#], #""iat":1700000000"#),
        Case("an audience of several", #""aud":["a",\#(place(#"["s","b"]"#))]"#, [#"["s","b"]"#], #""aud":["a","b"]"#),
        Case("null", #""_sd":\#(list(#"["s","n",null]"#))"#, [#"["s","n",null]"#], #""n":null"#),
        Case("white space", #""_sd":\#(list(#" [ "s" , "n" , 1.50e1 ] "#))"#, [#" [ "s" , "n" , 1.50e1 ] "#], #""n":1.50e1"#),
        Case(
            "escapes", #""_sd":\#(list(#"["s","\u006e\"","\ud83d\ude00\n"]"#))"#, [#"["s","\u006e\"","\ud83d\ude00\n"]"#],
            #""\u006e\"":"\ud83d\ude00\n""#),
        Case("an empty _sd in cnf", #""cnf":{"_sd":[]}"#, [], #""cnf":{}"#),
        Case("a digest in a cnf within", #""a":{"cnf":{"_sd":["\#(decoy)"]}}"#, [], #""a":{"cnf":{}}"#),
        Case("an empty salt and name", #""_sd":\#(list(#"["","",1]"#))"#, [#"["","",1]"#], #""":1"#),
        Case("sha-256 by its name", #""_sd_alg":"sha-256","_sd":\#(list(given))"#, [given], #""given_name":"Jane""#),
    ]

    private static func escaped(_ text: String) -> String { #"\u00"# + String(text.utf8.first!, radix: 16) + text.dropFirst() }

    @Test(arguments: accepted)
    func disclosuresBecomeClaims(of example: Case) {
        let claims = "{\(Credential.plain)\(example.expected.isEmpty ? "" : ",")\(example.expected)}"
        #expect(Credential.outcome(Credential.presentation(example.members, example.disclosures)) == claims)
    }

    private static func named(_ name: String, _ value: String = "1") -> Case {
        let disclosure = #"["s","\#(name)",\#(value)]"#
        return Case("a disclosure of \(name)", #""_sd":\#(list(disclosure))"#, [disclosure], "forbidden_disclosure")
    }

    private static let refused: [Case] = [
        named("iss", #""https://evil.example""#), named("exp", "9999999999"), named("nbf"), named("aud", #""x""#), named("cnf", "{}"),
        named("status", "{}"), named("vct", #""x""#), named("vct#integrity", #""x""#), named("_sd", "[]"), named("...", #""x""#),
        named("_sd_alg", #""sha-256""#), named(#"\u0069ss"#, #""https://evil.example""#), named(#"\u005fsd"#, "[]"),
        Case("_sd within", #""a":{"_sd":\#(list(#"["s","_sd",[]]"#))}"#, [#"["s","_sd",[]]"#], "forbidden_disclosure"),
        Case("... within", #""a":{"_sd":\#(list(#"["s","...","x"]"#))}"#, [#"["s","...","x"]"#], "forbidden_disclosure"),
        Case("_sd_alg within", #""a":{"_sd":\#(list(#"["s","_sd_alg","x"]"#))}"#, [#"["s","_sd_alg","x"]"#], "forbidden_disclosure"),
        Case("a claim that is there", #""given_name":"X","_sd":\#(list(given))"#, [given], "duplicate_claim"),
        Case("a claim after it", #""_sd":\#(list(given)),"given_name":"X""#, [given], "duplicate_claim"),
        Case("an escaped claim that is there", #""given\u005fname":"X","_sd":\#(list(given))"#, [given], "duplicate_claim"),
        Case("two of a name", #""_sd":\#(list(given, #"["s9","given_name",2]"#))"#, [given, #"["s9","given_name",2]"#], "duplicate_claim"),
        Case(
            "two of a name within", #""a":{"_sd":\#(list(given, #"["x","given_name",2]"#))}"#, [given, #"["x","given_name",2]"#],
            "duplicate_claim"),
        Case("a claim in a disclosed value", #""_sd":\#(list(shadowing))"#, [shadowing, given], "duplicate_claim"),
        Case("a digest twice", #""_sd":\#(list(given, given))"#, [given], "duplicate_digest"),
        Case("a digest at two levels", #""_sd":\#(list(given)),"a":{"_sd":\#(list(given))}"#, [given], "duplicate_digest"),
        Case("a digest of two elements", #""a":[\#(place(element)),\#(place(element))]"#, [element], "duplicate_digest"),
        Case("a digest of an element and of a claim", #""a":[\#(place(element))],"_sd":\#(list(element))"#, [element], "duplicate_digest"),
        Case("a decoy twice", #""_sd":["\#(decoy)","\#(decoy)"]"#, [], "duplicate_digest"),
        Case("a decoy in two arrays", #""a":[{"...":"\#(decoy)"}],"b":[{"...":"\#(decoy)"}]"#, [], "duplicate_digest"),
        Case("a digest twice, escaped", #""_sd":["\#(decoy)","\#(escaped(decoy))"]"#, [], "duplicate_digest"),
        Case("a digest again in a disclosure", #""_sd":\#(list(outer, inner))"#, [outer, inner], "duplicate_digest"),
        Case("a disclosure twice", #""_sd":\#(list(given))"#, [given, given], "duplicate_disclosure"),
        Case("an unused disclosure", #""_sd":\#(list(given))"#, [given, family], "unused_disclosure"),
        Case("an unused disclosure, no digests", #""a":1"#, [given], "unused_disclosure"),
        Case("a disclosure of a hidden one", #""_sd":\#(list(outer))"#, [inner], "unused_disclosure"),
        Case("white space changes a digest", #""_sd":\#(list(given))"#, [#"["s1", "given_name", "Jane"]"#], "unused_disclosure"),
        Case("an element in _sd", #""_sd":\#(list(element))"#, [element], "invalid_disclosure"),
        Case("a claim in an array", #""a":[\#(place(given))]"#, [given], "invalid_disclosure"),
        Case("_sd is null", #""_sd":null"#, [], "invalid_digests"),
        Case("_sd is a text", #""_sd":"\#(decoy)""#, [], "invalid_digests"),
        Case("_sd is an object", #""_sd":{}"#, [], "invalid_digests"),
        Case("_sd has a number", #""_sd":[1]"#, [], "invalid_digests"),
        Case("_sd has an array", #""_sd":[\#(list(given))]"#, [given], "invalid_digests"),
        Case("_sd within is a text", #""a":[{"_sd":"x"}]"#, [], "invalid_digests"),
        Case("... beside another", #""a":[{"...":"\#(decoy)","b":1}]"#, [], "invalid_digests"),
        Case("... beside _sd", #""a":[{"...":"\#(decoy)","_sd":[]}]"#, [], "invalid_digests"),
        Case("... is a number", #""a":[{"...":1}]"#, [], "invalid_digests"),
        Case("... is an array", #""a":[{"...":[]}]"#, [], "invalid_digests"),
        Case("... in an object", #""a":{"...":"\#(decoy)"}"#, [], "invalid_digests"),
        Case("... at the top", #""...":"\#(decoy)""#, [], "invalid_digests"),
        Case("... as the value of a disclosure", #""_sd":\#(list(marker))"#, [marker, element], "invalid_digests"),
        Case("... as a disclosed element", #""a":[\#(place(markerElement))]"#, [markerElement, element], "invalid_digests"),
        Case("_sd_alg within", #""a":{"_sd_alg":"sha-256"}"#, [], "invalid_digests"),
        Case(
            "_sd_alg in a disclosed value", #""_sd":\#(list(#"["s","a",{"_sd_alg":"sha-256"}]"#))"#, [#"["s","a",{"_sd_alg":"sha-256"}]"#],
            "invalid_digests"),
        Case("_sd in a disclosed value", #""_sd":\#(list(#"["s","a",{"_sd":7}]"#))"#, [#"["s","a",{"_sd":7}]"#], "invalid_digests"),
        Case("a hidden key", #""cnf":{"_sd":\#(list(key))}"#, [], "invalid_digests"),
        Case("a disclosed key", #""cnf":{"_sd":\#(list(key))}"#, [key], "invalid_digests"),
        Case("a hidden status list", #""status":{"_sd":\#(list(status)),"other":{}}"#, [], "invalid_digests"),
        Case("a disclosed status list", #""status":{"_sd":\#(list(status))}"#, [status], "invalid_digests"),
        Case("a hidden place in a status list", #""status":{"status_list":{"_sd":["\#(decoy)"]}}"#, [], "invalid_digests"),
        Case("a hidden element in an escaped status", #""\u0073tatus":{"a":[{"...":"\#(decoy)"}]}"#, [], "invalid_digests"),
        Case("sha-512 not allowed", #""_sd_alg":"sha-512""#, [], "unsupported_digest"),
        Case("an unknown digest", #""_sd_alg":"md5""#, [], "unsupported_digest"),
        Case("sha-256 in capitals", #""_sd_alg":"SHA-256""#, [], "unsupported_digest"),
        Case("_sd_alg is null", #""_sd_alg":null"#, [], "unsupported_digest"),
        Case("_sd_alg is an array", #""_sd_alg":["sha-256"]"#, [], "unsupported_digest"),
        Case("_sd_alg twice", #""_sd_alg":"sha-256","_sd_alg":"sha-512""#, [], "issuer_token_refused: duplicate_member"),
        Case("_sd twice", #""_sd":[],"_s\u0064":[]"#, [], "issuer_token_refused: duplicate_member"),
    ]

    private static let key = #"["s","jwk",{}]"#
    private static let status = #"["s","status_list",{"idx":1,"uri":"https://idp.example/1"}]"#
    private static let shadowing = #"["s7","a",{"given_name":1,"_sd":\#(list(given))}]"#
    private static let marker = #"["s8","a",\#(place(element))]"#
    private static let markerElement = #"["s9",\#(place(element))]"#

    @Test(arguments: refused)
    func aPresentationIsRefused(for example: Case) {
        #expect(Credential.outcome(Credential.presentation(example.members, example.disclosures)) == example.expected)
    }

    @Test(arguments: [
        "[]", #"["s"]"#, #"["s","n",1,2]"#, #"[1,"n",2]"#, #"["s",1,2]"#, #"["s",null,2]"#, #"[null,2]"#, #"{"s":1}"#, #""s""#, "", "[",
        #"["s","n",1]x"#, #"["s","n",01]"#, #"["s","n",{"a":1,"a":2}]"#, "\u{feff}[\"s\",\"n\",1]",
    ])
    func aDisclosureIsAnArrayOfSaltNameAndValue(disclosure: String) {
        let verdict = Credential.verdict(Credential.presentation(#""_sd":\#(Self.list(disclosure))"#, [disclosure]))
        // Nothing at all has no place between two tildes.
        #expect(disclosure.isEmpty ? verdict == "malformed_presentation" : verdict.hasPrefix("invalid_disclosure"))
    }

    @Test(arguments: ["=", "==", "+", "/", " ", "\n", ".", "é", "%"])
    func aDisclosureIsStrictBase64URL(suffix: String) {
        let written = Credential.encoded(Self.given) + suffix
        let members = #""_sd":["\#(Credential.digest(of: written))"]"#
        #expect(Credential.verdict(Credential.presentation(of: Credential.token(members), [written])).hasPrefix("invalid_disclosure"))
    }

    /// Two texts of the same bytes have two digests; only the strict one is read at all.
    @Test
    func unusedBitsOfADisclosureAreRefused() {
        let written = Credential.encoded(#"["s1","given_name","Jan"]"#)
        #expect(written.utf8.count % 4 != 0)
        let loose = String(written.dropLast()) + (written.hasSuffix("Q") ? "R" : "1")
        let members = #""_sd":["\#(Credential.digest(of: loose))"]"#
        #expect(
            Credential.verdict(Credential.presentation(of: Credential.token(members), [loose])) == "invalid_disclosure: invalid_base64url")
    }

    @Test(arguments: [(DisclosureDigest.sha256, Digest.sha256), (.sha384, .sha384), (.sha512, .sha512)])
    func aPolicyAllowsDigests(name: DisclosureDigest, digest: Digest) {
        let members = #""_sd_alg":"\#(name.rawValue)","_sd":["\#(Credential.digest(Self.given, digest))"]"#
        let presentation = Credential.presentation(members, [Self.given])
        var policy = Credential.unbound
        policy.digests = [name]
        #expect(Credential.outcome(presentation, policy) == #"{\#(Credential.plain),"given_name":"Jane"}"#)
        policy.digests = Set(DisclosureDigest.allCases).subtracting([name])
        #expect(Credential.outcome(presentation, policy) == "unsupported_digest")
        policy.digests = []
        #expect(Credential.outcome(presentation, policy) == "unsupported_digest")
    }

    /// The digest of another algorithm belongs to no disclosure.
    @Test
    func aWrongDigestFindsNoDisclosure() {
        let members = #""_sd_alg":"sha-512","_sd":["\#(Credential.digest(Self.given))"]"#
        var policy = Credential.unbound
        policy.digests = [.sha256, .sha512]
        #expect(Credential.outcome(Credential.presentation(members, [Self.given]), policy) == "unused_disclosure")
    }

    @Test
    func aPolicyNamesClaimsThatMustBePlain() {
        let presentation = Credential.presentation(#""_sd":\#(Self.list(Self.given))"#, [Self.given])
        var policy = Credential.unbound
        policy.plainClaims = ["given_name"]
        #expect(Credential.verdict(presentation, policy) == "forbidden_disclosure")
        policy.plainClaims = []
        #expect(Credential.verdict(presentation, policy) == "valid")
        for name in PresentationPolicy.alwaysPlain {
            let disclosure = #"["s","\#(name)",{}]"#
            #expect(
                Credential.verdict(Credential.presentation(#""_sd":\#(Self.list(disclosure))"#, [disclosure]), policy)
                    == "forbidden_disclosure")
        }
    }
}
