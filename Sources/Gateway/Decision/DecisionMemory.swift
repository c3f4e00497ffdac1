internal import JWTCore
internal import JWTDecryption
package import ReplayMemory
internal import StatusListCache

/// The memory that a decision is written into. It belongs to the caller, who uses it for one request after the other; once it has grown to
/// what its requests need, a decision allocates nothing.
public struct DecisionMemory: Sendable {
    // The judgement, by the positions of the policy's places and providers.
    var tokens: [PresentedToken] = []
    var answers: [ProviderAnswer] = []
    /// The bytes of each claim's field, by the position of the value in the policy (``PolicyRules/valueStarts``).
    var values: [Range<Int>] = []
    /// By the position of the provider; empty where no host keeps any.
    var documents: [TokenDocuments] = []
    /// By the position of the provider; empty where the configuration keeps none.
    var subjects: [Range<Int>] = []
    /// What status lists say, by the position of the provider; empty where none is asked.
    var statuses: [StatusVerdict?] = []
    /// The status lists that tokens lack.
    var awaited: [AwaitedStatus] = []
    /// The uses of tokens that pass once.
    var uses = TokenUses()
    /// The keys that may still be tried on encrypted tokens. Each costs up to a private operation, for a sender that nobody knows.
    var decryptions = 0
    /// Tokens that were encoded in the query.
    var decoded: [UInt8] = []

    /// The texts of a decision: the values of fields, the challenge, and what ``Decider/describe(_:_:)`` adds.
    package internal(set) var bytes: [UInt8] = []
    var operations: [FieldOperation] = []
    /// The positions of the places whose parameters are to be removed from the query.
    var removedParameters = Positions()
    /// The target without these parameters; nil if no parameter is removed.
    package internal(set) var target: Range<Int>?
    /// The value of `WWW-Authenticate`.
    package internal(set) var challenge: Range<Int>?
    /// The value of `DPoP-Nonce`.
    package internal(set) var proofNonce: Range<Int>?
    /// The value of `Location`, where a browser is redirected in place of a 401.
    package internal(set) var location: Range<Int>?

    /// The subject of the first accepted token.
    var subject: Range<Int>?

    /// The documents of accepted tokens, by the position of their provider.
    var keptDocuments: [(provider: Int, documents: TokenDocuments)] = []

    // What ``Decider/describe(_:_:)`` adds.
    package internal(set) var hostOperations: [HostOperation] = []
    package internal(set) var hostMetadata: [HostMetadata] = []
    package internal(set) var policyName: Range<Int>?
    package internal(set) var providerNames: [Range<Int>] = []

    public init() {}

    /// What the request has used, for further decisions about the same request.
    package var used: [ReplayIdentifier] { uses.used }

    /// Takes over what an earlier decision about the next request has used.
    package mutating func admit(_ identifier: ReplayIdentifier) { uses.admit(identifier) }

    /// Forgets a judgement, and keeps the memory.
    mutating func begin(_ policy: PolicyRules) {
        tokens.empty()
        decryptions = DecryptionLimits.standard.candidateKeys
        decoded.empty()
        awaited.empty()
        answers.fill(policy.providers.count, .unasked)
        documents.fill(policy.keepsDocuments ? policy.providers.count : 0, TokenDocuments())
        statuses.fill(policy.asksLists ? policy.providers.count : 0, nil)
        uses.begin(providers: policy.countsUses ? policy.providers.count : 0)
        subjects.fill(policy.keepsSubjects ? policy.providers.count : 0, 0..<0)
        values.fill(policy.valueCount, 0..<0)
    }

    /// Forgets a decision.
    package mutating func clear() { clear(keepingUses: false) }

    /// - Parameter keepsUses: whether the answers of the memory of uses stay.
    mutating func clear(keepingUses keepsUses: Bool) {
        if !keepsUses, !uses.isEmpty { uses = TokenUses() }
        bytes.empty()
        operations.empty()
        removedParameters = Positions()
        target = nil
        challenge = nil
        proofNonce = nil
        location = nil
        subject = nil
        keptDocuments.empty()
        hostOperations.empty()
        hostMetadata.empty()
        providerNames.empty()
        policyName = nil
    }

    func text(_ range: Range<Int>) -> String { String(copying: bytes.span.extracting(range)) }
}

extension Array {
    /// Removes the elements, and keeps the memory. `removeAll` releases that of an array without elements, and counts a reference for it.
    fileprivate mutating func empty() { if !isEmpty { removeAll(keepingCapacity: true) } }

    /// Makes `count` elements of it, all equal to `element`.
    fileprivate mutating func fill(_ count: Int, _ element: Element) {
        if self.count > count { removeLast(self.count - count) }
        for position in indices { self[position] = element }
        while self.count < count { append(element) }
    }
}

/// A provider's answer about its token.
enum ProviderAnswer: Sendable {
    case unasked
    /// - Parameter lack: what the policy asks for and the valid token does not have.
    case granted(lack: Lack?)
    case refused(Refusal)

    enum Lack: Sendable {
        case scope
        /// What the verifier would have refused, had it known of the policy: the audience, or the user's authentication.
        case validity(VerificationError.Code)
        /// The position of the rule in the policy.
        case rule(Int)

        var rule: Int? { if case .rule(let position) = self { position } else { nil } }

        var reason: DenialReason {
            switch self {
            case .scope: .insufficientScope
            case .validity(let code): .token(VerificationError(code))
            case .rule: .claimMismatch
            }
        }
    }
}

/// A change of a field between the client's request and the upstream's.
struct FieldOperation: Sendable {
    let name: Name
    /// The new value, which replaces all fields of the name; nil removes them.
    let value: Range<Int>?

    enum Name: Equatable, Sendable {
        /// A claim's field, by its position in ``DecisionRules/fieldNames``.
        case claim(Int)
        case authorization
        case cookie
        case webSocketProtocol
        /// The field of a token, by the position of its place in the policy.
        case place(Int)
    }
}

extension String {
    /// The UTF-8 of `text`.
    init(copying text: Span<UInt8>) {
        self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
