import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Testing

/// A limit counts what a text means. No other spelling of the text has a count of its own.
struct SpellingSentences: ServerTests {
    private static let numbers = [
        "+86-13800000000", "13800000000", " +86-13800000000", "+86-13800000000 ", "+8613800000000", "8613800000000", "0086-13800000000",
        "+86 13800000000", "+086-13800000000", "+86-138-0000-0000", "+86-13800000000\u{0}", "13800000000\u{0}1", "13800000000\u{85}",
        "１３８００００００００", "+86-１３８００００００００", "138\u{200b}00000000", "\u{feff}13800000000",
    ]

    /// Five wrong codes destroy a code, whatever number each of them names.
    @Test(.preparedServer)
    func noSpellingOfANumberOrACodeGivesASixthTry() async throws {
        let code = try await person.code()
        for ordinal in 0..<5 { _ = try await person.with(Self.numbers[ordinal % 2]).typeWrong(1, for: code) }
        for number in Self.numbers {
            let reply = try await person.with(number).logIn(code)
            #expect(Self.refused(reply), "\(number.debugDescription): \(reply.outcome)")
        }
        for typed in Self.spellings(of: code) {
            let reply = try await person.logIn(typed)
            #expect(Self.refused(reply), "\(typed.debugDescription): \(reply.outcome)")
        }
    }

    /// Ten wrong codes in a row lock the device for the number.
    @Test(.preparedServer)
    func afterTenWrongCodesNoSpellingOfTheNumberOpensTheLock() async throws {
        for ordinal in 0..<2 {
            let code = try await person.code()
            for _ in 0..<5 { _ = try await person.with(Self.numbers[ordinal]).typeWrong(1, for: code) }
            server.clock.advance(by: 60)
        }
        for number in Self.numbers {
            let outcome = try await person.with(number).logIn("123456").outcome
            #expect(["LOGIN.1003", "COMMON.1002", "SMS.1001"].contains(outcome), "\(number.debugDescription): \(outcome)")
        }
        #expect(try await person.logIn("123456").outcome == "LOGIN.1003")
    }

    /// A spelling that is read as the code is the code: it counts as one try, and logs in once.
    @Test(.unlimitedServer)
    func aSpellingOfACodeIsTheCodeOrNone() async throws {
        for ordinal in Self.spellings(of: "000000").indices {
            let code = try await person.code()
            let typed = Self.spellings(of: code)[ordinal]
            let outcomes = [try await person.logIn(typed).outcome, try await person.logIn(code).outcome]
            #expect(outcomes.count { $0 == "ok" } == 1, "\(typed.debugDescription): \(outcomes)")
        }
    }

    /// Wrong solutions for a number are counted for the number, from all devices.
    @Test(.preparedServer)
    func afterTenWrongSolutionsNoSpellingOfTheNumberGivesAnother() async throws {
        for device in 0..<10 { _ = try await person.on("device-\(device)").with(Self.numbers[device % 2]).fail() }
        for (ordinal, number) in Self.numbers.enumerated() {
            let outcome = try await person.on("stranger-\(ordinal)").with(number).fail().outcome
            #expect(["RATE.1001", "COMMON.1002", "SMS.1001"].contains(outcome), "\(number.debugDescription): \(outcome)")
        }
    }

    /// Six wrong solutions lock a device. Blanks around its fingerprint are the header field's, and not the device's.
    @Test(.preparedServer)
    func noSpellingOfADeviceOpensTheLockOfItsSlider() async throws {
        for _ in 0..<6 { _ = try await person.fail() }
        for device in ["device-0", " device-0", "device-0 ", "device-0\t", "\t device-0 \t"] {
            #expect(try await person.on(device).captcha().outcome == "RATE.1001", "\(device.debugDescription)")
        }
    }

    /// A device is counted for its client, so a second spelling of a client would be a second count.
    @Test(.preparedServer)
    func noSpellingOfAClientOpensTheLockOfItsDevice() async throws {
        for _ in 0..<6 { _ = try await person.fail() }
        let client = LiveServer.client
        let spellings = [
            client, " \(client)", "\(client) ", "\(client)\t", client.uppercased(), client.capitalized, "\(client).", "\(client)%20",
            "%\(client.utf8.first.map { String($0, radix: 16) } ?? "")\(client.dropFirst())", "\(client),\(client)", "\"\(client)\"",
        ]
        for spelling in spellings {
            let outcome = try await person.at(spelling).captcha().outcome
            #expect(["RATE.1001", "COMMON.1012", "COMMON.1002"].contains(outcome), "\(spelling.debugDescription): \(outcome)")
        }
        #expect(try await person.at(" \(client)\t").captcha().outcome == "RATE.1001")
    }

    /// Two fields of one name could name two clients, so the server refuses the request.
    @Test(.preparedServer)
    func twoFieldsOfOneNameNameNoClientAndNoDevice() async throws {
        let twice = [("X-client-id", LiveServer.client), ("X-device-fingerprint", "device-0"), ("x-device-fingerprint", "device-9")]
        for (name, value) in twice {
            var person = person
            person.wire.extraFields = [(name, value)]
            let reply = try await person.captcha()
            #expect(reply.status == 400 && reply.outcome == "COMMON.1002", "\(name): \(value)")
        }
    }

    /// Addresses are counted by what they are: an IPv4 address by itself, an IPv6 address by its /64.
    @Test(arguments: [
        (
            "198.51.100.7",
            ["198.51.100.7", " 198.51.100.7 ", "198.51.100.7:4711", "::ffff:198.51.100.7", "::FFFF:c633:6407", "[::ffff:198.51.100.7]:443"]
        ),
        (
            "2001:db8:0:1::7",
            [
                "2001:db8:0:1::7", "2001:DB8:0:1::7", "2001:0db8:0000:0001:0000:0000:0000:0007", "[2001:db8:0:1::7]:443",
                "2001:db8:0:1::8", "2001:db8:0:1:ffff::1", "2001:db8:0:1:0:0:198.51.100.7",
            ]
        ),
    ])
    func noSpellingOfAnAddressGivesAnotherSolution(address: String, spellings: [String]) async throws {
        try await LiveServer.running {
            $0.standBehindProxy()
            $0.limits = .without { $0.wrongCaptchaPerAddress = [Limit(3, per: .seconds(60))] }
        } _: { server in
            var people = (0..<(4 + spellings.count)).makeIterator()
            func fail(from address: String) async throws -> String {
                var person = Person(server, people.next() ?? 0)
                person.wire.extraFields = [("X-Forwarded-For", address)]
                return try await person.fail().outcome
            }
            for _ in 0..<3 {
                let outcome = try await fail(from: address)
                #expect(outcome == "SMS.1003")
            }
            for spelling in spellings {
                let outcome = try await fail(from: spelling)
                #expect(outcome == "RATE.1001", "\(spelling)")
            }
            let neighbour = try await fail(from: "198.51.100.8")
            #expect(neighbour == "SMS.1003")
        }
    }

    private static func refused(_ reply: WireReply) -> Bool {
        ["SMS.1005", "COMMON.1002", "SMS.1001", "LOGIN.1003", "RATE.1001"].contains(reply.outcome)
    }

    private static func spellings(of code: String) -> [String] {
        let wide = String(String.UnicodeScalarView(code.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xff10 - 0x30) }))
        return [
            " \(code)", "\(code) ", "\(code)\n", "\(code)\u{0}", "\(code)\u{0}0", "0\(code)", "+\(code)", "\(code).0", wide,
            "\(code.prefix(3)) \(code.suffix(3))", "\(code.prefix(3))\u{200b}\(code.suffix(3))",
        ]
    }
}
