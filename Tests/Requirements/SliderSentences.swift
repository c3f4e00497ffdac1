import AssayTesting
import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Logging
import Testing

struct SliderSentences: ServerTests {
    @Test(.preparedServer)
    func aChallengeIsJudgedOnceRightlyOrWrongly() async throws {
        for (off, outcome) in [(0.0, "ok"), (50.0, "SMS.1003")] {
            let challenge = try await person.challenge()
            #expect(try await person.solve(challenge, off: off).outcome == outcome)
            #expect(try await person.solve(challenge).outcome == "SMS.1003")
        }
    }

    @Test(.preparedServer)
    func aPieceMayBeOffBy5PxAlongItsLineAndOnThatLineAlone() async throws {
        let rows: [(Double, Double, String)] = [
            (0, 5, "ok"), (5, 5, "ok"), (-5, 5, "ok"), (5.1, 5, "SMS.1003"), (-5.1, 5, "SMS.1003"), (0, 6, "SMS.1003"),
            (0, 4, "SMS.1003"),
            (0, 0, "SMS.1003"),
        ]
        for (ordinal, row) in rows.enumerated() {
            let person = Person(server, ordinal)
            let reply = try await person.solve(try await person.challenge(), off: row.0, y: row.1)
            #expect(reply.outcome == row.2, "\(row)")
        }
    }

    @Test(.preparedServer)
    func aChallengeIsItsDevicesAndItsClients() async throws {
        try await server.add(client: "other")
        let challenge = try await person.challenge()
        #expect(try await person.on("device-9").solve(challenge).outcome == "SMS.1003")
        #expect(try await person.at("other").solve(challenge).outcome == "SMS.1003")
        #expect(try await person.solve(challenge).outcome == "ok")
    }

    /// 13: Two challenges differ only in their pictures and their tokens, in replies, in the log and in the trail; no key is sent.
    @Test
    func noReplyAndNoLogShowsThePlaceOfAPiece() async throws {
        try await LiveServer.running(logLevel: .trace) { server in
            let person = Person(server)
            var replies: [String] = []
            var places: Set<Int> = []
            let before = (log: server.log.lines.count, trail: server.auditLines.count)
            for _ in 0..<20 {
                let challenge = try await person.challenge()
                places.insert(challenge.place)
                #expect(challenge.reply.json["secretKey"] is NSNull)
                replies.append(try Self.everythingElse(of: challenge.reply))
            }
            // Data that is the same for every position reveals nothing about it.
            #expect(places.count > 5)
            #expect(Set(replies).count == 1)
            let lines = server.log.lines.dropFirst(before.log) + server.auditLines.dropFirst(before.trail)
            let kinds = lines.map(Self.withoutNames).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            #expect(kinds.count >= 2 && kinds.values.allSatisfy { $0 == 20 }, "\(kinds)")
        }
    }

    /// A reply without its pictures, its token and its request ids; with the chunk types of the pictures.
    private static func everythingElse(of reply: WireReply) throws -> String {
        var members = reply.json
        var chunks: [String] = []
        for name in ["originalImageBase64", "jigsawImageBase64"] {
            let picture = try #require((members.removeValue(forKey: name) as? String).flatMap { Data(base64Encoded: $0) })
            chunks += PNGChunk.all(in: Array(picture)).map { "\($0.type)\($0.type == "IHDR" ? "\(Array($0.data))" : "")" }
        }
        let token = try #require(members.removeValue(forKey: "token") as? String)
        #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        // The length depends on the pictures.
        let fields = reply.fields.filter { !["x-request-id", "date", "content-length"].contains($0.0.lowercased()) }.map {
            "\($0.0): \($0.1)"
        }
        let json = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return "\(fields.sorted()) \(String(decoding: json, as: UTF8.self)) \(chunks)"
    }

    /// A line without the request's id, the token's hash and the duration.
    private static func withoutNames(_ line: String) -> String {
        guard var members = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] else { return line }
        for name in ["request_id", "hb.request.id", "subject", "milliseconds"] { members[name] = nil }
        let data = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// 14: More than five wrong solutions a minute lock the device for 300 s from any claimed address, and lock no other device.
    @Test(.preparedServer)
    func moreThanFiveWrongSolutionsLockTheDevice() async throws {
        var person = Person(server)
        for _ in 0..<6 { #expect(try await person.fail().outcome == "SMS.1003") }
        person.wire.extraFields = [("X-Forwarded-For", "198.51.100.8"), ("X-device-ip", "198.51.100.9")]
        let locked = try await person.captcha()
        #expect(locked.status == 429 && locked.outcome == "RATE.1001" && locked.retryAfter == 300)
        #expect(try await Person(server, 1).captcha().outcome == "ok")
        server.clock.advance(by: 299)
        #expect(try await person.captcha().retryAfter == 1)
        server.clock.advance(by: 1)
        #expect(try await person.send().outcome == "ok")
    }

    @Test(.preparedServer)
    func fiveWrongSolutionsAMinuteLockNothing() async throws {
        for mobile in [person.mobile, "+86-13900000000"] {
            for _ in 0..<5 {
                let reply = try await person.with(mobile).fail()
                #expect(reply.outcome == "SMS.1003")
            }
            server.clock.advance(by: 60)
        }
        let sent = try await Person(server, 1).on("device-0").send()
        #expect(sent.outcome == "ok")
    }

    /// 14: A number gets at most ten wrong solutions an hour from all devices, and no right solution is refused because of them.
    @Test(.preparedServer)
    func aNumberGetsTenWrongSolutionsAnHour() async throws {
        for device in 0..<10 { #expect(try await person.on("device-\(device)").fail().outcome == "SMS.1003") }
        let refused = try await person.on("device-10").fail()
        #expect(refused.outcome == "RATE.1001" && refused.retryAfter == 3_600)
        #expect(try await person.send().outcome == "ok")
        #expect(try await person.on("device-11").captchaToken().isEmpty == false)
        #expect(try await Person(server, 11).send().outcome == "ok")
    }

    /// 14: An address gets at most sixty wrong solutions a minute. It is the peer's address unless a configured proxy names another.
    @Test
    func anAddressGetsSixtyWrongSolutionsAMinute() async throws {
        for isProxied in [false, true] {
            try await LiveServer.running {
                if isProxied { $0.standBehindProxy() }
            } _: { server in
                let people = (0...60).map { ordinal in
                    var person = Person(server, ordinal)
                    person.wire.extraFields = [
                        ("X-Forwarded-For", "198.51.100.\(ordinal)"), ("X-device-ip", "203.0.113.\(ordinal)"), ("X-tenant-id", "t"),
                    ]
                    return person
                }
                for person in people.prefix(60) { #expect(try await person.fail().outcome == "SMS.1003") }
                let last = try await people[60].fail()
                #expect(last.outcome == (isProxied ? "SMS.1003" : "RATE.1001"))
                let address = isProxied ? "198.51.100.60" : "127.0.0.1"
                #expect(server.auditLines.last?.contains("\"address\":\"\(address)\"") == true)
            }
        }
    }
}
