import CommandProgram
import Dispatch
import Foundation
import JWTCore

/// Assay as one of the programs that Benchmarks/peers compares. Its README describes the input and output formats.
struct PeerProgram {
    let folder: String
    let algorithm: String
    let seconds: String

    private static let tokensPerLookAtTheClock = 100
    private static let kinds = ["tampered", "expired", "other-issuer", "other-audience"]

    func run() throws {
        guard let algorithm = SignatureAlgorithm(name: algorithm), algorithm.isAvailable else {
            return Terminal.output.line(#"{"skipped": "not offered"}"#)
        }
        guard let seconds = Double(seconds) else { throw Fault("no number of seconds: \(seconds)") }
        var policy = ClaimsPolicy(issuer: try line("issuer"), audience: try line("audience"))
        policy.algorithms = [algorithm]
        let keys = try KeySet(jwk: Array(contents("\(self.algorithm)/key.jwk")).span)
        keys.prepare()
        let verifier = TokenVerifier(keys: keys, policy: policy)
        try measure(nil, .init(tokensAtATime: 1, verifier: verifier), seconds)
        try measure("in batches", .init(tokensAtATime: Self.tokensPerLookAtTheClock, verifier: verifier), seconds)
    }

    /// Prints one variant's line.
    private func measure(_ variant: String?, _ way: Way, _ seconds: Double) throws {
        var members = variant.map { ["\"variant\": \"\($0)\""] } ?? []
        for kind in Self.kinds {
            let isAccepted = try way.acceptsAny(tokens(kind))
            members.append("\"\(kind)\": \"\(isAccepted ? "accepted" : "refused")\"")
            // A variant that accepts a tampered token gets no speed.
            if isAccepted, kind == "tampered" { return Terminal.output.line("{\(members.joined(separator: ", "))}") }
        }
        let rate = try way.tokensPerSecond(batches(try tokens("tokens")), seconds)
        members.append("\"tokens_per_second\": \(String(format: "%.1f", rate))")
        Terminal.output.line("{\(members.joined(separator: ", "))}")
    }

    private func batches(_ tokens: [[UInt8]]) -> [[[UInt8]]] {
        stride(from: 0, to: tokens.count, by: Self.tokensPerLookAtTheClock).map {
            Array(tokens[$0..<min($0 + Self.tokensPerLookAtTheClock, tokens.count)])
        }
    }

    // Files

    private func tokens(_ name: String) throws -> [[UInt8]] {
        try contents("\(algorithm)/\(name)").split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    private func line(_ name: String) throws -> String {
        String(decoding: try contents(name).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private func contents(_ name: String) throws -> Data {
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { throw Fault("missing file \(name)") }
        return data
    }
}

/// A way to verify: token by token, or all tokens between two clock readings as one batch. Both use the machine's clock.
private struct Way {
    let tokensAtATime: Int
    let verifier: TokenVerifier<KeySet>

    /// Verifies each token separately. One accepted token is enough.
    func acceptsAny(_ tokens: [[UInt8]]) throws -> Bool {
        guard !tokens.isEmpty else { throw Fault("no tokens to refuse") }
        return accepted(Group(tokens)) > 0
    }

    func tokensPerSecond(_ lists: [[[UInt8]]], _ seconds: Double) throws -> Double {
        let groups = lists.map(Group.init)
        guard !groups.isEmpty else { throw Fault("no tokens to verify") }
        // The first pass is not timed: it warms caches and checks each token.
        for group in groups { try verify(group) }
        var done = 0, turn = 0
        let start = DispatchTime.now().uptimeNanoseconds
        while true {
            try verify(groups[turn % groups.count])
            done += groups[turn % groups.count].tokens.count
            turn += 1
            let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            if elapsed >= seconds { return Double(done) / elapsed }
        }
    }

    private func verify(_ group: Group) throws {
        guard accepted(group) == group.tokens.count else { throw Fault("refuses a good token") }
    }

    private func accepted(_ group: Group) -> Int {
        var count = 0
        if tokensAtATime > 1 {
            verifier.withVerified(group.batch) { _, _ in
                count += 1
            } refused: { _, _ in
            }
        } else {
            for token in group.tokens where accepts(token) { count += 1 }
        }
        return count
    }

    private func accepts(_ token: [UInt8]) -> Bool {
        do throws(VerificationError) { return try verifier.withVerified(token.span) { _ in true } } catch { return false }
    }
}

/// The number of tokens between two clock readings.
private struct Group {
    let tokens: [[UInt8]]
    let batch: TokenBatch

    init(_ tokens: [[UInt8]]) {
        var batch = TokenBatch()
        for token in tokens { batch.append(token.span) }
        self.tokens = tokens
        self.batch = batch
    }
}

private struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
