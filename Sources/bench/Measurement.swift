import JWTCore

/// A row of the report by its name, and how it comes about. Nil where this machine's libcrypto lacks what it takes.
struct Measurement: Sendable {
    let name: String
    let row: @Sendable (TokenStock, Effort) -> Row?

    /// In the order of the report.
    static let all = TokenKind.all.flatMap(ofKind) + tokens + [batcher, tasks, cacheHit] + cacheThreads + [machine] + keyCache

    // A kind

    private static func ofKind(_ kind: TokenKind) -> [Measurement] {
        [single(kind), batch(kind), forced(kind, .tables), forced(kind, .openssl)]
            + ThreadRows.counts.flatMap { [threads(kind, $0), batchThreads(kind, $0)] } + [long(kind), longBatch(kind)]
    }

    private static func single(_ kind: TokenKind) -> Measurement {
        timed("\(kind.name).single") { stock in stock.tokens(kind).flatMap(Workload.init(single:)) }
    }

    private static func batch(_ kind: TokenKind) -> Measurement {
        timed("\(kind.name).batch") { stock in stock.tokens(kind).flatMap(Workload.init(batch:)) }
    }

    private static func long(_ kind: TokenKind) -> Measurement {
        timed("\(kind.name).2k") { stock in stock.tokens(kind, bytes: BenchTokens.long).flatMap(Workload.init(single:)) }
    }

    private static func longBatch(_ kind: TokenKind) -> Measurement {
        timed("\(kind.name).2k.batch") { stock in stock.tokens(kind, bytes: BenchTokens.long).flatMap(Workload.init(batch:)) }
    }

    /// One by one, with nothing above `tier` at work. The tier holds for the process, so it is given back, and the keys made ready for it.
    private static func forced(_ kind: TokenKind, _ tier: EngineTier) -> Measurement {
        let name = "\(kind.name).\(tier.name)"
        return Measurement(name: name) { stock, effort in
            guard let tokens = stock.tokens(kind), let workload = Workload(single: tokens) else { return nil }
            let tierInUse = Engine.force(tier)
            defer {
                Engine.force(nil)
                tokens.keys.prepare()
            }
            guard tierInUse == tier else { return nil }
            tokens.keys.prepare()
            return Stopwatch(effort).measure(name, workload)
        }
    }

    private static func threads(_ kind: TokenKind, _ count: Int) -> Measurement {
        let name = "\(kind.name).threads\(count)"
        return Measurement(name: name) { stock, effort in
            stock.tokens(kind).flatMap { ThreadRows(effort: effort).row(name, $0.shares(count).map { $0.verifies }) }
        }
    }

    private static func batchThreads(_ kind: TokenKind, _ count: Int) -> Measurement {
        let name = "\(kind.name).batch.threads\(count)"
        return Measurement(name: name) { stock, effort in
            stock.tokens(kind).flatMap {
                ThreadRows(effort: effort).row(name, tokensPerCall: TokenShare.tokensPerBatch, $0.shares(count).map { $0.verifiesBatch })
            }
        }
    }

    // No kind of its own

    private static let tokens = [overhead, parse, longParse, junk, expired, signature]

    private static let machine = Measurement(name: "machine.threads2") { _, effort in
        ThreadRows(effort: effort).machineRow("machine.threads2", threads: 2)
    }

    private static let overhead = timed("overhead.640") { stock in
        stock.tokens(.hs256, bytes: 640).map(Workload.init(overheadOf:))
    }

    private static let parse = timed("parse.640") { stock in stock.tokens(.rs256).map(Workload.init(parsing:)) }
    private static let longParse = timed("parse.2k") { stock in
        stock.tokens(.rs256, bytes: BenchTokens.long).map(Workload.init(parsing:))
    }

    private static let junk = timed("refuse.junk") { stock in stock.tokens(.rs256).map(Workload.init(junkBeside:)) }
    private static let expired = timed("refuse.expired") { stock in stock.tokens(.rs256).flatMap(Workload.init(expired:)) }
    private static let signature = timed("refuse.signature") { stock in stock.tokens(.rs256).flatMap(Workload.init(tampered:)) }

    private static let cacheHit = timed("cache.hit") { stock in stock.tokens(.es256, bytes: 1_024).flatMap(Workload.init(cached:)) }

    /// One cache for all threads.
    private static let cacheThreads = ThreadRows.counts.map { count in
        let name = "cache.hit.threads\(count)"
        return Measurement(name: name) { stock, effort in
            guard let tokens = stock.tokens(.es256, bytes: 1_024), let verifier = tokens.cachingVerifier() else { return nil }
            return ThreadRows(effort: effort).row(name, tokens.shares(count, verifier).map { $0.verifies })
        }
    }

    private static let batcher = Measurement(name: "es256.batcher") { stock, effort in
        stock.tokens(.es256).flatMap { BatcherRow(tokens: $0, effort: effort).row("es256.batcher") }
    }

    private static let tasks = Measurement(name: "es256.tasks") { stock, effort in
        stock.tokens(.es256).flatMap { BatcherRow(tokens: $0, effort: effort).rowWithoutBatcher("es256.tasks") }
    }

    private static let keyCache = KeyCacheRows.names.map { name in
        Measurement(name: name) { _, effort in
            KeyCacheRows(samples: effort.isQuick ? 1_000 : 10_000, runs: effort.isQuick ? 3 : 9).row(name)
        }
    }

    private static func timed(_ name: String, _ workload: @escaping @Sendable (TokenStock) -> Workload?) -> Measurement {
        Measurement(name: name) { stock, effort in workload(stock).map { Stopwatch(effort).measure(name, $0) } }
    }
}
