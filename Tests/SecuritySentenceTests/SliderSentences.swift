#if IDaaS
import Foundation
import IDaaSServer
import IDaaSTestSupport
import Logging
import Pictures
import Testing

@Suite("The slider, over HTTP: sentences 11, 13 and 14")
struct SliderSentences {
    @Test("11: A challenge is over at 120 s")
    func lifetime() async throws {
        try await LiveServer.running { server in
            for (ordinal, row) in [(119, "ok"), (120, "SMS.1003"), (121, "SMS.1003")].enumerated() {
                let person = Person(server, ordinal)
                let challenge = try await person.challenge()
                server.clock.advance(by: row.0)
                #expect(try await person.solve(challenge).outcome == row.1, "\(row.0) s")
            }
        }
    }

    @Test("11: A challenge is judged once, rightly or wrongly")
    func once() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            for (off, outcome) in [(0.0, "ok"), (50.0, "SMS.1003")] {
                let challenge = try await person.challenge()
                #expect(try await person.solve(challenge, off: off).outcome == outcome)
                #expect(try await person.solve(challenge).outcome == "SMS.1003")
            }
        }
    }

    @Test("11: A piece may be off by 5 px along its line, and on that line alone")
    func tolerance() async throws {
        try await LiveServer.running { server in
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
    }

    @Test("11: A challenge is its device's and its client's")
    func owner() async throws {
        try await LiveServer.running { server in
            try await server.add(client: "other")
            let person = Person(server)
            let challenge = try await person.challenge()
            #expect(try await person.on("device-9").solve(challenge).outcome == "SMS.1003")
            #expect(try await person.at("other").solve(challenge).outcome == "SMS.1003")
            #expect(try await person.solve(challenge).outcome == "ok")
        }
    }

    @Test("13: Two challenges differ in their pictures and their tokens alone, in replies, in the log and in the trail; no key is sent")
    func place() async throws {
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
            // What is the same whatever the place is tells nothing of it.
            #expect(places.count > 5)
            #expect(Set(replies).count == 1)
            let lines = server.log.lines.dropFirst(before.log) + server.auditLines.dropFirst(before.trail)
            let kinds = lines.map(Self.withoutNames).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            #expect(kinds.count >= 2 && kinds.values.allSatisfy { $0 == 20 }, "\(kinds)")
        }
    }

    /// A reply without its pictures, its token and what names the request; with the chunks that the pictures are made of.
    private static func everythingElse(of reply: WireReply) throws -> String {
        var members = reply.json
        var chunks: [String] = []
        for name in ["originalImageBase64", "jigsawImageBase64"] {
            let picture = try #require((members.removeValue(forKey: name) as? String).flatMap { Data(base64Encoded: $0) })
            chunks += try PNGReader.chunks(Array(picture)).map { "\($0.type)\($0.type == "IHDR" ? "\(Array($0.data))" : "")" }
        }
        let token = try #require(members.removeValue(forKey: "token") as? String)
        #expect(token.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        // The length is that of the pictures.
        let fields = reply.fields.filter { !["x-request-id", "date", "content-length"].contains($0.0.lowercased()) }.map {
            "\($0.0): \($0.1)"
        }
        let json = try JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return "\(fields.sorted()) \(String(decoding: json, as: UTF8.self)) \(chunks)"
    }

    /// A line without the request's id, the token's hash and how long it took.
    private static func withoutNames(_ line: String) -> String {
        guard var members = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] else { return line }
        for name in ["request_id", "hb.request.id", "subject", "milliseconds"] { members[name] = nil }
        let data = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    @Test("14: More than five wrong solutions a minute lock the device for 300 s, whatever address it claims, and no other device")
    func lock() async throws {
        try await LiveServer.running { server in
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
    }

    @Test("14: Five wrong solutions a minute lock nothing")
    func belowLock() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
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
    }

    @Test("14: Ten wrong solutions an hour are all that a number gets, whatever the devices")
    func perSender() async throws {
        try await LiveServer.running { server in
            let person = Person(server)
            for device in 0..<10 { #expect(try await person.on("device-\(device)").fail().outcome == "SMS.1003") }
            let refused = try await person.on("device-10").fail()
            #expect(refused.outcome == "RATE.1001" && refused.retryAfter == 3_600)
            #expect(try await Person(server, 11).send().outcome == "ok")
        }
    }

    @Test("14: Sixty wrong solutions a minute are all that an address gets, and it is the peer's unless a configured proxy says so")
    func perAddress() async throws {
        for isProxied in [false, true] {
            try await LiveServer.running {
                guard isProxied else { return }
                $0.proxy.behind = true
                $0.proxy.trusted = ["127.0.0.1"]
                $0.publicURL = "https://login.example.com"
            } _: { server in
                let people = (0...60).map { ordinal in
                    var person = Person(server, ordinal)
                    person.wire.extraFields = [
                        ("X-Forwarded-For", "198.51.100.\(ordinal)"), ("X-device-ip", "203.0.113.\(ordinal)"),
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
#endif
