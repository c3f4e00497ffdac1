public import CAssayInterface
internal import Gateway
internal import JWTCore

// Names are static text: they need no memory, and stay where they are.

@c @implementation
public func assay_version() -> UnsafePointer<CChar>? { unsafe ("0.1.0" as StaticString).cString }

@c @implementation
public func assay_code_name(_ code: assay_code) -> UnsafePointer<CChar>? { unsafe CodeName.text(code).cString }

@c @implementation
public func assay_code_http_status(_ code: assay_code) -> UInt32 {
    if code == .ok { return 200 }
    if let code = VerificationError.Code(code) { return UInt32(code.httpStatus) }
    return UInt32(DenialReason(number: code)?.status ?? 500)
}

extension VerificationError.Code {
    /// The code with this number, if there is one.
    init?(_ code: assay_code) {
        guard let known = Self.all.first(where: { assay_code($0.number) == code }) else { return nil }
        self = known
    }
}

extension StaticString {
    /// The text with its final NUL.
    var cString: UnsafePointer<CChar>? {
        // SAFETY: char and UInt8 are layout-compatible; a literal ends with NUL.
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

/// The names of all codes. A test compares them with `VerificationError.Code`, with the header and with Errors.md.
private enum CodeName {
    static func text(_ code: assay_code) -> StaticString {
        switch code / 100 {
        case 0: interface(code)
        case 1: form(code)
        case 2: header(code)
        case 3: key(code)
        case 4: code == 400 ? "signature_invalid" : "unknown"
        case 5: claims(code)
        case 6: request(code)
        default: code < 740 ? proof(code) : code < 750 ? encryption(code) : certificate(code)
        }
    }

    private static func interface(_ code: assay_code) -> StaticString {
        switch code {
        case 0: "ok"
        case 1: "invalid_argument"
        case 2: "result_too_small"
        case 3: "no_claims"
        case 4: "no_value"
        case 5: "wrong_type"
        case 6: "not_due"
        case 7: "fetch_continues"
        case 8: "fetch_failed"
        case 9: "fetch_ended"
        case 10: "forked"
        case 11: "no_thread"
        case 12: "invalid_settings"
        case 13: "awaiting_keys"
        case 14: "no_decision"
        default: "unknown"
        }
    }

    private static func form(_ code: assay_code) -> StaticString {
        switch code {
        case 100: "token_too_large"
        case 101: "malformed_token"
        case 102: "encrypted_token"
        case 103: "invalid_base64url"
        case 104: "invalid_json"
        case 105: "invalid_utf8"
        case 106: "duplicate_member"
        case 107: "nesting_too_deep"
        case 108: "too_many_members"
        default: "unknown"
        }
    }

    private static func header(_ code: assay_code) -> StaticString {
        switch code {
        case 200: "invalid_header"
        case 201: "missing_algorithm"
        case 202: "unsecured_token"
        case 203: "unsupported_algorithm"
        case 204: "algorithm_not_allowed"
        case 205: "unsupported_critical"
        case 206: "type_mismatch"
        default: "unknown"
        }
    }

    private static func key(_ code: assay_code) -> StaticString {
        switch code {
        case 300: "unknown_key"
        case 301: "ambiguous_key"
        case 302: "key_algorithm_mismatch"
        case 303: "key_use_mismatch"
        case 304: "weak_key"
        case 305: "invalid_key"
        case 306: "keys_unavailable"
        default: "unknown"
        }
    }

    private static func claims(_ code: assay_code) -> StaticString {
        switch code {
        case 500: "missing_claim"
        case 501: "invalid_claim"
        case 502: "expired"
        case 503: "not_yet_valid"
        case 504: "issued_in_future"
        case 505: "too_old"
        case 506: "issuer_mismatch"
        case 507: "audience_mismatch"
        case 508: "authorized_party_mismatch"
        case 509: "nonce_mismatch"
        case 510: "token_hash_mismatch"
        case 511: "authentication_too_old"
        case 512: "context_class_mismatch"
        case 513: "revoked"
        case 514: "subject_mismatch"
        case 515: "insufficient_scope"
        case 516: "invalid_status"
        default: "unknown"
        }
    }

    private static func encryption(_ code: assay_code) -> StaticString {
        switch code {
        case 740: "decryption_failed"
        case 741: "unsupported_encryption"
        case 742: "encryption_not_allowed"
        case 743: "compressed_token"
        case 744: "invalid_ephemeral_key"
        case 745: "unknown_decryption_key"
        case 746: "ambiguous_decryption_key"
        case 747: "not_nested"
        case 748: "unencrypted_token"
        default: "unknown"
        }
    }

    private static func request(_ code: assay_code) -> StaticString {
        switch code {
        case 600: "malformed_request"
        case 601: "ambiguous_path"
        case 602: "ambiguous_field"
        case 603: "no_route"
        case 604: "missing_token"
        case 605: "several_tokens"
        case 606: "claim_mismatch"
        case 607: "claims_too_large"
        case 608: "unhandled_field"
        case 609: "no_policy"
        case 610: "suspended"
        case 611: "status_unavailable"
        case 612: "replayed"
        case 613: "replay_memory_unavailable"
        case 630: "inactive_token"
        case 631: "introspection_unavailable"
        case 632: "invalid_introspection"
        default: "unknown"
        }
    }

    private static func proof(_ code: assay_code) -> StaticString {
        switch code {
        case 710: "missing_proof"
        case 711: "several_proofs"
        case 712: "proof_too_large"
        case 713: "malformed_proof"
        case 714: "proof_type_mismatch"
        case 715: "proof_algorithm_not_allowed"
        case 716: "invalid_proof_key"
        case 717: "missing_proof_claim"
        case 718: "invalid_proof_claim"
        case 719: "proof_method_mismatch"
        case 720: "proof_url_mismatch"
        case 721: "proof_too_old"
        case 722: "proof_issued_in_future"
        case 723: "proof_token_mismatch"
        case 724: "proof_key_mismatch"
        case 725: "missing_proof_nonce"
        case 726: "proof_nonce_mismatch"
        case 727: "proof_signature_invalid"
        case 728: "replayed_proof"
        case 729: "unbound_token"
        case 730: "bound_token_without_proof"
        case 731: "invalid_confirmation"
        default: "unknown"
        }
    }
    private static func certificate(_ code: assay_code) -> StaticString {
        switch code {
        case 750: "missing_certificate"
        case 751: "malformed_certificate"
        case 752: "certificate_too_large"
        case 753: "certificate_mismatch"
        case 754: "not_certificate_bound"
        case 755: "unsupported_confirmation"
        default: "unknown"
        }
    }
}
