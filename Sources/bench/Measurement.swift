import JWTCore
import JWTDecryption

/// A row of the report: its name and its measurement, which is nil if this machine or its libcrypto cannot run it.
struct Measurement: Sendable {
    let name: String
    let row: @Sendable (TokenStock, Effort) -> Row?

    /// In the order of the report.
    static let all = TokenKind.all.flatMap(ofKind) + others + keyCache

    private static func ofKind(_ kind: TokenKind) -> [Measurement] {
        let single = [
            timed("\(kind.name).single") { stock in stock.tokens(kind).flatMap(Workload.init(single:)) },
            timed("\(kind.name).batch") { stock in stock.tokens(kind).flatMap(Workload.init(batch:)) },
            tables(kind), forced(kind, .openssl),
        ]
        // The tiers that add only lanes of RSA.
        let lanes = kind.isRSA ? [EngineTier.avxifma, .avx512f, .avx2].map { forced(kind, $0, inBatches: true) } : []
        let threads = ThreadRows.counts.flatMap { count in
            [
                scaled("\(kind.name).threads\(count)") { stock in stock.tokens(kind)?.shares(count).map { $0.verifies } },
                scaled("\(kind.name).batch.threads\(count)", tokensPerCall: TokenShare.tokensPerBatch) { stock in
                    stock.tokens(kind)?.shares(count).map { $0.verifiesBatch }
                },
            ]
        }
        let long = [
            timed("\(kind.name).2k") { stock in stock.tokens(kind, bytes: BenchTokens.long).flatMap(Workload.init(single:)) },
            timed("\(kind.name).2k.batch") { stock in stock.tokens(kind, bytes: BenchTokens.long).flatMap(Workload.init(batch:)) },
        ]
        return single + lanes + threads + long
    }

    private static let others =
        [
            timed("overhead.640") { stock in stock.tokens(.hs256, bytes: 640).map(Workload.init(overheadOf:)) },
            timed("overhead.2k") { stock in stock.tokens(LargePayload.nested).map(Workload.init(overheadOf:)) },
            timed("overhead.3k3") { stock in stock.tokens(LargePayload.escaped).map(Workload.init(overheadOf:)) },
            timed("overhead.3k3.text") { stock in stock.tokens(LargePayload.text).map(Workload.init(overheadOf:)) },
            timed("overhead.es256") { stock in stock.tokens(.es256, bytes: 640).map(Workload.init(overheadOf:)) },
            timed("overhead.refreshed") { stock in stock.tokens(.es256, bytes: 640).flatMap(Workload.init(refreshing:)) },
            timed("overhead.routed") { stock in stock.tokens(.es256, bytes: 640).flatMap { Workload(routing: $0, issuers: 1) } },
            timed("overhead.routed1000") { stock in stock.tokens(.es256, bytes: 640).flatMap { Workload(routing: $0, issuers: 1_000) } },
            timed("parse.640") { stock in stock.tokens(.rs256).map(Workload.init(parsing:)) },
            timed("parse.2k") { stock in stock.tokens(.rs256, bytes: BenchTokens.long).map(Workload.init(parsing:)) },
            timed("refuse.junk") { stock in stock.tokens(.rs256).map(Workload.init(junkBeside:)) },
            timed("refuse.expired") { stock in stock.tokens(.rs256).flatMap(Workload.init(expired:)) },
            timed("refuse.signature") { stock in stock.tokens(.rs256).flatMap(Workload.init(tampered:)) },
            Measurement(name: "es256.batcher") { stock, effort in
                stock.tokens(.es256).flatMap { BatcherRow(tokens: $0, effort: effort).row("es256.batcher") }
            },
            Measurement(name: "es256.tasks") { stock, effort in
                stock.tokens(.es256).flatMap { BatcherRow(tokens: $0, effort: effort).rowWithoutBatcher("es256.tasks") }
            },
            timed("decide.hit") { stock in stock.tokens(.es256, bytes: 1_024).flatMap(Workload.init(decidingCached:)) },
            timed("decide.es256") { stock in stock.tokens(.es256).flatMap(Workload.init(deciding:)) },
            timed("decide.refused") { stock in stock.tokens(.es256).flatMap(Workload.init(decidingTampered:)) },
            timed("cache.hit") { stock in stock.tokens(.es256, bytes: 1_024).flatMap(Workload.init(cached:)) },
        ] + possession + encryption + disclosure + cacheThreads + [
            Measurement(name: "machine.threads2") { _, effort in
                ThreadRows(effort: effort).machineRow("machine.threads2", threads: 2)
            }
        ]

    private static let possession =
        [
            timed("dpop.es256") { stock in stock.tokens(.es256).flatMap(Workload.init(provingWith:)) },
            timed("dpop.es256.cost") { stock in stock.tokens(.es256).flatMap(Workload.init(costOfProving:)) },
            timed("dpop.es256.first") { stock in stock.tokens(.es256).flatMap(Workload.init(firstProofsWith:)) },
            timed("dpop.es256.batch") { stock in stock.tokens(.es256).flatMap(Workload.init(provingBatchesWith:)) },
        ]
        + RefusedProof.all.map { proof in
            timed("dpop.refused.\(proof.name)") { stock in stock.tokens(.es256).flatMap { Workload(refusing: proof, $0) } }
        }

    private static let encryption = [
        ("dir", KeyManagementAlgorithm.direct, AgreementCurve.p256), ("ecdh-es", .ecdhES, .p256), ("x25519", .ecdhES, .x25519),
        ("rsa-oaep-256", .rsaOAEP256, .p256),
    ].flatMap { name, algorithm, curve in
        [false, true].map { isMore in
            timed("jwe.\(name)\(isMore ? ".more" : "")") { stock in
                stock.tokens(.es256).flatMap { Workload(decrypting: algorithm, $0, curve: curve, isMore: isMore) }
            }
        }
    }

    private static let disclosure = [
        timed("sd-jwt") { stock in stock.tokens(.es256).flatMap { Workload(presenting: $0, isBound: false) } },
        timed("sd-jwt.bound") { stock in stock.tokens(.es256).flatMap { Workload(presenting: $0, isBound: true) } },
    ]

    /// All threads share one cache.
    private static let cacheThreads = ThreadRows.counts.map { count in
        scaled("cache.hit.threads\(count)") { stock in
            guard let tokens = stock.tokens(.es256, bytes: 1_024), let verifier = tokens.cachingVerifier() else { return nil }
            return tokens.shares(count, verifier).map { $0.verifies }
        }
    }

    private static let keyCache = KeyCacheRows.names.map { name in
        Measurement(name: name) { _, effort in
            KeyCacheRows(samples: effort.isQuick ? 1_000 : 10_000, runs: effort.isQuick ? 3 : 9).row(name)
        }
    }

    /// The tables tier. RSA on x86-64 has only one kernel in it, and the row has the name of that kernel's instructions.
    private static func tables(_ kind: TokenKind) -> Measurement {
        #if arch(x86_64)
        if kind.isRSA { return forced(kind, .tables, by: .rsaScalar, named: "adx") }
        #endif
        return forced(kind, .tables)
    }

    /// Tokens one by one, or in batches, with no tier above `tier`. The tier is a global setting: afterwards it is reset, and the keys are
    /// prepared again.
    ///
    /// - Parameter family: without these kernels the row is not measurable.
    private static func forced(
        _ kind: TokenKind, _ tier: EngineTier, by family: KernelFamily? = nil, named word: String? = nil, inBatches: Bool = false
    ) -> Measurement {
        let name = "\(kind.name)\(inBatches ? ".batch" : "").\(word ?? tier.name)"
        return Measurement(name: name) { stock, effort in
            guard let tokens = stock.tokens(kind), let workload = inBatches ? Workload(batch: tokens) : Workload(single: tokens) else {
                return nil
            }
            let tierInUse = Engine.force(tier)
            defer {
                Engine.force(nil)
                tokens.keys.prepare()
            }
            guard tierInUse == tier, family.map(isActive) ?? true else { return nil }
            tokens.keys.prepare()
            return Stopwatch(effort).measure(name, workload)
        }
    }

    private static func isActive(_ family: KernelFamily) -> Bool {
        Engine.kernels.contains { $0.family == family && $0.state == .active }
    }

    /// Scaling over threads, each with an operation of its own.
    private static func scaled(
        _ name: String, tokensPerCall: Int = 1, _ operations: @escaping @Sendable (TokenStock) -> [@Sendable (Int) -> Bool]?
    ) -> Measurement {
        Measurement(name: name) { stock, effort in
            operations(stock).flatMap { ThreadRows(effort: effort).row(name, tokensPerCall: tokensPerCall, $0) }
        }
    }

    private static func timed(_ name: String, _ workload: @escaping @Sendable (TokenStock) -> Workload?) -> Measurement {
        Measurement(name: name) { stock, effort in workload(stock).map { Stopwatch(effort).measure(name, $0) } }
    }
}
