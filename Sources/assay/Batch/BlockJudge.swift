import CommandProgram
import JWTCore
import Locks

/// Judges the tokens of a block together, and writes a line or a JSON document for each.
struct BlockJudge: Sendable {
    let judge: TokenJudge
    let isJSON: Bool
    let hasLineNumbers: Bool
    private let isPrepared = Locked(false)

    /// With fewer tokens than this, preparing the keys for the kernels costs more than it saves.
    private static let leastPrepared = 64
    /// A key takes milliseconds. Of a larger set, few keys have signed the tokens, and the kernels prepare them in the background.
    private static let mostPrepared = 8

    init(_ judge: TokenJudge, isJSON: Bool, hasLineNumbers: Bool) {
        self.judge = judge
        self.isJSON = isJSON
        self.hasLineNumbers = hasLineNumbers
    }

    /// Adds the verdicts on `block`, whose first token is on line `first`, to `output` and to `counts`.
    func judge(_ block: TokenBatch, from first: Int, into output: inout [UInt8], _ counts: inout OutcomeCounts) {
        var verdicts = Verdicts(first: first, isJSON: isJSON, hasLineNumbers: hasLineNumbers)
        // Without keys, without claims, and encrypted, each token is judged alone.
        if judge.checksClaims, judge.decryptor == nil, let keys = try? judge.verifier.keys.snapshot() {
            judgeTogether(block, keys, &verdicts)
        } else {
            for token in 0..<block.count { judgeAlone(token, block, &verdicts) }
        }
        output += verdicts.output
        counts.add(verdicts.counts)
    }

    private func judgeTogether(_ block: TokenBatch, _ keys: KeySet, _ verdicts: inout Verdicts) {
        if block.count >= Self.leastPrepared { prepare(keys) }
        // Of a remote source, the keys of this moment: the code for a fixed set is specialised.
        let verifier = TokenVerifier(keys: keys, policy: judge.verifier.policy)
        var all = verdicts
        MemoryShortage.noting {
            verifier.withVerified(block, now: judge.now) { _, claims in
                all.accept(isJSON ? TokenJudge.acceptance(claims) : "")
            } refused: { token, error in
                // A remote source may fetch a key that it lacks.
                if error.code == .unknownKey, case .remote = judge.verifier.keys {
                    judgeAlone(token, block, &all)
                } else {
                    all.refuse(error)
                }
            }
        }
        verdicts = all
    }

    private func judgeAlone(_ token: Int, _ block: TokenBatch, _ verdicts: inout Verdicts) {
        let judgement = judge.judgeWaiting(Array(copying: block[token]))
        if let error = judgement.error { verdicts.refuse(error) } else { verdicts.accept(judgement.json) }
    }

    private func prepare(_ keys: KeySet) {
        guard keys.keys.count <= Self.mostPrepared else { return }
        isPrepared.withLock { isPrepared in
            if !isPrepared { keys.prepare() }
            isPrepared = true
        }
    }
}

/// The verdicts on the tokens of a block, in order, as the bytes of the output.
private struct Verdicts {
    private(set) var output: [UInt8] = []
    private(set) var counts = OutcomeCounts()
    private var line: Int
    private let isJSON: Bool
    private let hasLineNumbers: Bool

    init(first: Int, isJSON: Bool, hasLineNumbers: Bool) {
        line = first
        self.isJSON = isJSON
        self.hasLineNumbers = hasLineNumbers
    }

    mutating func accept(_ json: String) {
        counts.valid += 1
        if isJSON { write(json: json) } else { write(Outcome.valid) }
    }

    mutating func refuse(_ error: VerificationError) {
        counts.refused[error.code, default: 0] += 1
        if isJSON { write(json: TokenJudge.refusal(error)) } else { write(Outcome.names[error.code] ?? Array("\(error.code.name)\n".utf8)) }
    }

    private mutating func write(_ verdict: [UInt8]) {
        if hasLineNumbers { output += "\(line) ".utf8 }
        output += verdict
        line += 1
    }

    /// Every document but the array's first follows a comma.
    private mutating func write(json: String) {
        output.append(UInt8(ascii: line == 1 ? "[" : ","))
        let document = printableJSON(json)
        output += hasLineNumbers ? Array("{\"line\":\(line),\(document.dropFirst())".utf8) : Array(document.utf8)
        line += 1
    }
}
