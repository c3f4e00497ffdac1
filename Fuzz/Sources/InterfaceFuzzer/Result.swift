import CAssayInterface
import JWTCore

/// A result of the C interface in memory of its own.
final class Result {
    let size: Int
    let handle: OpaquePointer?
    private let memory: UnsafeMutableRawPointer

    init(size: Int) {
        self.size = size
        memory = .allocate(byteCount: size, alignment: 16)
        handle = assay_result_init(memory, size)
        precondition(handle != nil, "memory is refused")
    }

    deinit { memory.deallocate() }

    func compare(_ expected: Outcome, _ pair: VerifierPair) {
        let code = expected.code
        precondition(assay_result_code(handle) == code, "another verdict")
        precondition(String(cString: assay_code_name(code)) == expected.error?.code.name ?? "ok", "another name of a code")
        precondition(assay_result_offset(handle) == Int64(expected.error?.offset ?? -1), "another offset")
        precondition(assay_result_claim_name(handle).map { String(cString: $0) } == expected.error?.claim?.name, "another claim")
        precondition(assay_result_http_status(handle) == UInt32(expected.error?.code.httpStatus ?? 200), "another status")
        let challenge = expected.error.flatMap { BearerChallenge(refusing: $0, realm: "r\"", scope: "a b")?.fieldValue } ?? ""
        precondition(text { assay_result_challenge($0, $1, handle, "r\"", 2, "a b", 3) } == challenge, "another challenge")
        if let error = expected.error {
            // The memory of a result has no room for a reason.
            let plain = VerificationError(error.code, at: error.offset, claim: error.claim)
            precondition(text { assay_result_description($0, $1, handle) } == plain.description, "another description")
        }
    }

    /// The payload, if the token was accepted.
    var payload: [UInt8]? {
        var start: UnsafePointer<CChar>?, count = 0
        guard assay_result_payload(&start, &count, handle) == ASSAY_OK else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Every result describes itself. After a reset it has no claims.
    func checkReset() {
        precondition(!text { assay_result_description($0, $1, handle) }.isEmpty, "a result without a description")
        assay_result_reset(handle)
        var value = assay_value()
        precondition(assay_result_claim_at(&value, handle, "", 0) == assay_code(ASSAY_NO_CLAIMS), "a claim after a reset")
        precondition(text { assay_result_description($0, $1, handle) }.hasPrefix("no_claims"), "another description after a reset")
    }

    /// A text that the interface writes, after it was asked for the length.
    private func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> String {
        let count = write(nil, 0)
        let memory = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
        defer { memory.deallocate() }
        precondition(write(memory, count + 1) == count && memory[count] == 0, "a text of another length")
        return String(cString: memory)
    }
}
