#if Gateway
internal import Locks
internal import Gateway
internal import JWTCore
internal import Logging

/// The versions of the gateway's own file that asked on one listener. A version is the list of fields that the file handles; the file sends it
/// with each question. A version is behind if a claim of the configuration in force has another field.
///
/// The log has one line for each version that is behind under a configuration. A reload judges the last version at once, without a question.
final class GatewayFileVersions: Sendable {
    let listener: String
    private let logger: Logger
    private let state = Locked(State())

    init(listener: String, logger: Logger) {
        self.listener = listener
        self.logger = logger
    }

    /// Whether the version that asked last is behind.
    var isBehind: Bool { state.withLock { !$0.lacking.isEmpty } }

    /// - Throws: `unhandled_field` if a question of this version must be refused.
    func check(_ version: HandledFields, _ inForce: ActiveConfiguration) throws(Denial) {
        let finding = state.withLock { $0.judge(version, inForce) }
        guard !finding.lacking.isEmpty else { return }
        if finding.isNew { tell(finding.lacking, inForce) }
        throw Denial(policy: nil, reason: .unhandledField, status: DenialReason.unhandledField.status)
    }

    /// Judges the last version by a new configuration.
    func reloaded(_ inForce: ActiveConfiguration) {
        let finding = state.withLock { state -> State.Finding? in
            guard let last = state.last else { return nil }
            return state.judge(last, inForce)
        }
        if let finding, finding.isNew, !finding.lacking.isEmpty { tell(finding.lacking, inForce) }
    }

    private func tell(_ lacking: [String], _ inForce: ActiveConfiguration) {
        logger.warning(
            "the gateway's file is behind; its requests are refused",
            metadata: [
                "listener": "\(listener)", "fields": "\(lacking.joined(separator: " "))", "generation": "\(inForce.generation)",
            ])
    }
}

extension GatewayFileVersions {
    fileprivate struct State {
        private var generation = 0
        private(set) var last: HandledFields?
        /// The claims' fields that the last version does not handle.
        private(set) var lacking: [String] = []
        /// The fields that each version lacks under the configuration of this generation.
        private var known: [HandledFields: [String]] = [:]

        struct Finding {
            let lacking: [String]
            /// Whether the version was not judged before by this configuration.
            let isNew: Bool
        }

        /// Where the gateway's file does not replace the field, its clients write it.
        private static let mostVersions = 16
        private static let longestVersion = 4_096

        mutating func judge(_ version: HandledFields, _ inForce: ActiveConfiguration) -> Finding {
            // A question that began under an older configuration ends by it.
            guard inForce.generation >= generation else {
                return Finding(lacking: inForce.core.fields(without: version), isNew: false)
            }
            if inForce.generation > generation { (generation, known) = (inForce.generation, [:]) }
            let kept = known[version]
            lacking = kept ?? inForce.core.fields(without: version)
            let isKept = kept == nil && known.count < Self.mostVersions && version.text.utf8.count <= Self.longestVersion
            if isKept { known[version] = lacking }
            if isKept || kept != nil { last = version }
            return Finding(lacking: lacking, isNew: isKept)
        }
    }
}
#endif
