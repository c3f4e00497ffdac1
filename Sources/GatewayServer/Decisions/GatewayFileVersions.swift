#if Gateway
internal import Gateway
internal import JWTCore
internal import Locks
internal import Logging

/// The versions of the gateway's own file that asked on one listener. A version is the list of fields that the file handles; the file sends it
/// with each question. A version is behind if a claim of the configuration in force has another field.
///
/// The log has one line for each version that is behind under a configuration. A reload judges the last version at once, without a question.
final class GatewayFileVersions: Sendable {
    let listener: String
    private let logger: Logger
    private let state = Locked(State())
    /// The judgement of the last version. A question of that version takes no lock.
    private let judged = Published(Judgement(version: nil, generation: 0, lacking: [], idle: []))

    init(listener: String, logger: Logger) {
        self.listener = listener
        self.logger = logger
    }

    /// Whether the version that asked last is behind.
    var isBehind: Bool { !judged.current.lacking.isEmpty }

    /// - Returns: the fields of the version that no claim has.
    /// - Throws: `unhandled_field` if a question of this version must be refused.
    func check(_ version: HandledFields, _ inForce: ActiveConfiguration) throws(Denial) -> [String] {
        if let idle = judged.withCurrent({ $0.allows(version, inForce.generation) ? $0.idle : nil }) ?? nil { return idle }
        let finding = judge(version, inForce)
        // A list that is not kept may be a client's: it gets no fields of its own.
        guard !finding.lacking.isEmpty else { return finding.counts ? inForce.core.fields(only: version) : [] }
        if finding.isNew { tell(finding.lacking, inForce) }
        throw Denial(policy: nil, reason: .unhandledField, status: DenialReason.unhandledField.status)
    }

    /// Judges the last version by a new configuration.
    func reloaded(_ inForce: ActiveConfiguration) {
        guard let last = judged.current.version else { return }
        let finding = judge(last, inForce)
        if finding.isNew, !finding.lacking.isEmpty { tell(finding.lacking, inForce) }
    }

    private func judge(_ version: HandledFields, _ inForce: ActiveConfiguration) -> State.Finding {
        state.withLock { state in
            let finding = state.judge(version, inForce)
            if finding.counts {
                let idle = inForce.core.fields(only: version)
                judged.replace { _ in
                    Judgement(version: version, generation: inForce.generation, lacking: finding.lacking, idle: idle)
                }
            }
            return finding
        }
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
    fileprivate final class Judgement: Sendable {
        let version: HandledFields?
        /// Of the configuration that judged.
        let generation: Int
        /// The claims' fields that the version does not handle.
        let lacking: [String]
        /// The version's fields that no claim has.
        let idle: [String]

        init(version: HandledFields?, generation: Int, lacking: [String], idle: [String]) {
            self.version = version
            self.generation = generation
            self.lacking = lacking
            self.idle = idle
        }

        func allows(_ version: HandledFields, _ generation: Int) -> Bool {
            generation == self.generation && lacking.isEmpty && self.version?.text.utf8.elementsEqual(version.text.utf8) == true
        }
    }

    fileprivate struct State {
        private var generation = 0
        /// The fields that each version lacks under the configuration of this generation.
        private var known: [HandledFields: [String]] = [:]

        struct Finding {
            let lacking: [String]
            /// Whether the version was not judged before by this configuration.
            let isNew: Bool
            /// Whether it is a version that is told apart, judged by the configuration in force.
            let counts: Bool
        }

        /// Where the gateway's file does not replace the field, its clients write it.
        private static let mostVersions = 16
        private static let longestVersion = 4_096

        mutating func judge(_ version: HandledFields, _ inForce: ActiveConfiguration) -> Finding {
            // A question that began under an older configuration ends by it.
            guard inForce.generation >= generation else {
                return Finding(lacking: inForce.core.fields(without: version), isNew: false, counts: false)
            }
            if inForce.generation > generation { (generation, known) = (inForce.generation, [:]) }
            let kept = known[version]
            let lacking = kept ?? inForce.core.fields(without: version)
            let isKept = kept == nil && known.count < Self.mostVersions && version.text.utf8.count <= Self.longestVersion
            if isKept { known[version] = lacking }
            return Finding(lacking: lacking, isNew: isKept, counts: isKept || kept != nil)
        }
    }
}
#endif
