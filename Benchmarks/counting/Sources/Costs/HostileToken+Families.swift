extension HostileToken {
    /// Hostile tokens of at most `size` bytes for a verifier of one issuer, or of several: the families whose cost grew with their length when
    /// they were searched for.
    public static func all(size: Int, for target: HostileTarget) -> [HostileToken] {
        headers(size, target) + payloads(size, target) + others(size, target)
    }

    /// A token of `size` bytes with a wrong signature, and nothing else unusual.
    public static func forged(size: Int, for target: HostileTarget) -> HostileToken {
        forged("a failed check", header: target.header, size: size, for: target)
    }

    /// The same without a `kid`, so that a verifier may try every key that fits the algorithm.
    public static func unnamed(size: Int, for target: HostileTarget) -> HostileToken {
        forged("no kid", header: #"{"alg":"\#(target.algorithm)"}"#, size: size, for: target)
    }

    private static func forged(_ name: String, header: String, size: Int, for target: HostileTarget) -> HostileToken {
        let beginning = "{\"iss\":\"\(target.issuer)\",\"x\":\""
        let room = max(0, (size - encoded(header).utf8.count - target.signature.utf8.count - 2) * 3 / 4 - beginning.utf8.count - 2)
        let payload = beginning + String(repeating: "x", count: room) + "\"}"
        return HostileToken(name, header: header, payload: payload, signature: target.signature)
    }

    /// Tokens of a megabyte, far beyond the limit of length.
    public static var overlong: [HostileToken] {
        [("one part", "A"), ("dots", "."), ("three bytes a character", "\u{20ac}")].map { name, text in
            HostileToken("overlong: \(name)", text: String(repeating: text, count: (1 << 20) / text.utf8.count))
        }
    }

    /// Bytes for a part of JSON in a token of `size` bytes, beside `rest` bytes of base64url.
    private static func room(_ size: Int, _ target: HostileTarget, beside rest: Int) -> Int {
        max(8, (size - rest - target.signature.utf8.count - 2) * 3 / 4 - 2)
    }

    /// Hostile headers. The payload has only its issuer.
    private static func headers(_ size: Int, _ target: HostileTarget) -> [HostileToken] {
        let payload = #"{"iss":"\#(target.issuer)"}"#
        let room = max(56, min(room(size, target, beside: encoded(payload).utf8.count), 8_190)) - 48, text = HostileText(size: room)
        let bodies: [(String, String)] = [
            ("escapes", #""x":"\#(text.escapes(room))""#), ("units", #""x":"\#(text.units(room))""#),
            ("plain text", #""x":"\#(String(repeating: "x", count: room))""#),
            ("few escapes", #""x":"\#(text.escapes(500))\#(String(repeating: "x", count: max(0, room - 500)))""#),
            ("wide text", #""x":"\#(text.wide(room))""#), ("a long name", #""\#(text.escapes(room))":0"#),
            ("a long name in units", #""\#(text.units(room))":0"#),
            ("alike names", text.members(29, length: room / 30 - 6, escaped: true)),
            ("alike plain names", text.members(29, length: room / 30 - 6, escaped: false)),
            ("values", #""x":[\#(text.values(60))]"#), ("records", #""x":[\#(text.records(62, members: 20))]"#),
            ("a plain long key id", #""kid":"\#(String(repeating: "k", count: room))""#),
            ("a long key id with an escape", #""kid":"\/\#(String(repeating: "k", count: max(0, room - 2)))""#),
            ("a long key id", #""kid":"\#(text.escapes(room))""#), ("a long key id in units", #""kid":"\#(text.units(room))""#),
            ("a long type", #""typ":"\#(text.escapes(room))""#), ("a long type in units", #""typ":"\#(text.units(room))""#),
            ("a long content type", #""cty":"\#(text.units(room))""#),
            ("two long types", #""typ":"\#(text.units(room / 3))","cty":"\#(text.units(room / 3))","kid":"\#(text.units(room / 3))""#),
            ("critical names", critical(text.escapes(room / 24 - 8))),
            ("plain critical names", critical(String(repeating: "x", count: max(1, room / 24 - 8)))),
            ("spaces", #""x":\#(String(repeating: " ", count: room))0"#),
            ("digits", #""x":[\#(Array(repeating: String(repeating: "1", count: 60), count: min(60, room / 61)).joined(separator: ","))]"#),
        ]
        return bodies.flatMap { name, body in
            [("", "}"), (", broken at its end", "} 0")].map { suffix, end in
                let kid = body.contains("\"kid\"") ? "" : #""kid":"\#(target.keyID)","#
                let header = #"{"alg":"\#(target.algorithm)",\#(kid)\#(body)\#(end)"#
                return HostileToken("header: \(name)\(suffix)", header: header, payload: payload, signature: target.signature)
            }
        }
    }

    private static func critical(_ beginning: String) -> String {
        let names = (0..<12).map { "\"\(beginning)\(String($0, radix: 36))\"" }
        return #""crit":[\#(names.joined(separator: ","))],\#(names.map { "\($0):0" }.joined(separator: ","))"#
    }

    /// Hostile payloads, which a router reads before the signature: of a known issuer, and of one that it does not know.
    private static func payloads(_ size: Int, _ target: HostileTarget) -> [HostileToken] {
        let header = target.header, known = #""iss":"\#(target.issuer)""#
        let room = max(24, room(size, target, beside: encoded(header).utf8.count) - known.utf8.count - 4), text = HostileText(size: room)
        let bodies: [(String, String)] = [
            ("escapes", #""x":["\#(text.escapes(min(room, 8_000)))"]"#), ("units", #""x":["\#(text.units(min(room, 8_000)))"]"#),
            ("alike names", text.members(250, length: max(8, room / 250 - 6), escaped: true)),
            ("alike long names", text.members(64, length: max(8, room / 64 - 6), escaped: true)),
            ("alike plain names", text.members(250, length: max(8, room / 250 - 6), escaped: false)),
            ("many names", text.members(250, length: 8, escaped: false)), ("values", #""x":[\#(text.values(2_000))]"#),
            ("records", #""x":[\#(text.records(1_980, members: 250))]"#), ("small records", #""x":[\#(text.records(1_980, members: 1))]"#),
            ("wide text", #""x":["\#(text.wide(min(room, 8_000)))"]"#), ("many issuers", #""x":[\#(text.texts("iss"))]"#),
            ("issuers among brackets", #""x":[\#(text.issuers())]"#),
            ("brackets", #""x":\#(String(repeating: "[],", count: room / 3))0"#),
        ]
        let issuers = [("", known), (" of another issuer", #""iss":"\#(target.issuer)x""#), (" without issuer", #""y":0"#)]
        return bodies.flatMap { name, body in
            issuers.flatMap { suffix, member in
                [("", "}"), (", broken at its end", "} 0")].map { end, closing in
                    HostileToken(
                        "payload: \(name)\(suffix)\(end)", header: header, payload: "{\(body),\(member)\(closing)",
                        signature: target.signature)
                }
            }
        } + [
            HostileToken(
                "payload: a long issuer", header: header, payload: #"{"iss":"\#(text.units(min(room, 8_000)))"}"#,
                signature: target.signature)
        ]
    }

    private static func others(_ size: Int, _ target: HostileTarget) -> [HostileToken] {
        let header = encoded(#"{"alg":"\#(target.algorithm)"}"#), rest = max(4, size - header.utf8.count - 90) / 4 * 4
        return [
            HostileToken("dots", text: String(repeating: ".", count: size)),
            HostileToken("letters", text: String(repeating: "A", count: size)),
            HostileToken("a long signature", text: "\(header).e30." + String(repeating: "A", count: rest)),
            HostileToken("a long payload", text: "\(header)." + String(repeating: "A", count: rest) + "." + target.signature),
            HostileToken("beyond the limit", text: String(repeating: "A", count: size * 4)),
        ]
    }
}
