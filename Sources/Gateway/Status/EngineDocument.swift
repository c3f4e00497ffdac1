internal import JWTCore

/// The kernels that verify signatures in this process.
package struct EngineDocument: Encodable, Sendable {
    /// The tier in use, as `ASSAY_ENGINE` names it.
    package let tier: String
    /// The families of kernels that failed their self-test, or that libcrypto contradicted. Others judge in their place.
    package let failed: [String]

    package init() {
        tier = Engine.tier.name
        failed = Engine.faulty.map { "\($0)" }
    }
}

extension SampleText {
    /// The tier, and how many families of kernels failed.
    package mutating func append(_ engine: EngineDocument) {
        type("assay_engine_info", "gauge")
        sample("assay_engine_info", 1, ["tier": engine.tier])
        type("assay_engine_failed_kernels", "gauge")
        sample("assay_engine_failed_kernels", engine.failed.count)
    }
}
