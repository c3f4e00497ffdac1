import CommandProgram
import JWTCore

/// How many verdicts the kernels of one tier gave in a conformance run, and how many of them OpenSSL contradicted.
struct EngineComparison: Encodable {
    let tier: String
    let compared: Int
    let contradicted: Int

    init(_ tier: EngineTier, _ counts: Engine.ShadowCounts) {
        self.tier = tier.name
        compared = counts.compared
        contradicted = counts.contradicted
    }

    var line: String { "\(tier): \(compared) verdicts by kernels, OpenSSL contradicted \(contradicted)" }

    /// Nil if the kernels did what the tier promises.
    var fault: CommandFailure? {
        if contradicted > 0 { return .failed("OpenSSL contradicted \(contradicted) of \(compared) verdicts by kernels") }
        if compared > 0, !hasKernels { return .failed("kernels gave \(compared) verdicts, although the tier is \(tier)") }
        return nil
    }

    /// The failure of a run whose kernels judged nothing: if they pass everything on to OpenSSL, no contradiction can occur.
    var absence: CommandFailure? {
        guard compared == 0, hasKernels else { return nil }
        return .nothingToRun("no case has a signature that the kernels of the \(tier) tier verify")
    }

    private var hasKernels: Bool { tier != EngineTier.openssl.name }
}
