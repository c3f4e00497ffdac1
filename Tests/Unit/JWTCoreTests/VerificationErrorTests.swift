import JWTCore
import JWTTestSupport
import Testing

struct VerificationErrorTests {
    private static let all = VerificationError.Code.all

    @Test
    func codesAreUniqueByNumberNameAndSummary() {
        #expect(Self.all.count == 78)
        #expect(Set(Self.all).count == 78)
        #expect(Set(Self.all.map(\.number)).count == 78)
        #expect(Set(Self.all.map(\.name)).count == 78)
        #expect(Set(Self.all.map(\.summary)).count == 78)
        #expect(Self.all.map(\.number) == Self.all.map(\.number).sorted())
    }

    @Test(arguments: VerificationError.Code.all.map(\.name))
    func namesLeadBackToTheirCodes(name: String) {
        #expect(VerificationError.Code(name: name)?.name == name)
        #expect(name.allSatisfy { $0.isLowercase || $0 == "_" || $0.isNumber })
    }

    @Test(arguments: ["", "Expired", "EXPIRED", "expired ", "tokenTooLarge", "502", "e\u{301}xpired"])
    func otherNamesLeadNowhere(name: String) {
        #expect(VerificationError.Code(name: name) == nil)
    }

    /// Numbers never change: the C interface and old logs use them.
    @Test(
        arguments: [
            (100, .tokenTooLarge), (101, .malformedToken), (102, .encryptedToken), (103, .invalidBase64URL), (104, .invalidJSON),
            (105, .invalidUTF8), (106, .duplicateMember), (107, .nestingTooDeep), (108, .tooManyMembers), (200, .invalidHeader),
            (201, .missingAlgorithm), (202, .unsecuredToken), (203, .unsupportedAlgorithm), (204, .algorithmNotAllowed),
            (205, .unsupportedCritical), (206, .typeMismatch), (300, .unknownKey), (301, .ambiguousKey), (302, .keyAlgorithmMismatch),
            (303, .keyUseMismatch), (304, .weakKey), (305, .invalidKey), (306, .keysUnavailable), (400, .signatureInvalid),
            (500, .missingClaim), (501, .invalidClaim), (502, .expired), (503, .notYetValid), (504, .issuedInFuture), (505, .tooOld),
            (506, .issuerMismatch), (507, .audienceMismatch), (508, .authorizedPartyMismatch), (509, .nonceMismatch),
            (510, .tokenHashMismatch), (511, .authenticationTooOld), (512, .contextClassMismatch), (513, .revoked),
            (514, .subjectMismatch), (515, .insufficientScope), (516, .invalidStatus),
            (710, .missingProof), (711, .severalProofs), (712, .proofTooLarge), (713, .malformedProof), (714, .proofTypeMismatch),
            (715, .proofAlgorithmNotAllowed), (716, .invalidProofKey), (717, .missingProofClaim), (718, .invalidProofClaim),
            (719, .proofMethodMismatch), (720, .proofURLMismatch), (721, .proofTooOld), (722, .proofIssuedInFuture),
            (723, .proofTokenMismatch), (724, .proofKeyMismatch), (725, .missingProofNonce), (726, .proofNonceMismatch),
            (727, .proofSignatureInvalid), (728, .replayedProof), (729, .unboundToken), (730, .boundTokenWithoutProof),
            (731, .invalidConfirmation),
            (740, .decryptionFailed), (741, .unsupportedEncryption), (742, .encryptionNotAllowed), (743, .compressedToken),
            (744, .invalidEphemeralKey), (745, .unknownDecryptionKey), (746, .ambiguousDecryptionKey), (747, .notNested),
            (748, .unencryptedToken),
            (750, .missingCertificate), (751, .malformedCertificate), (752, .certificateTooLarge), (753, .certificateMismatch),
            (754, .notCertificateBound), (755, .unsupportedConfirmation),
        ] as [(UInt16, VerificationError.Code)])
    func numbersAreStable(number: UInt16, code: VerificationError.Code) {
        #expect(code.number == number)
        #expect(Self.all.contains(code))
    }

    @Test
    func onlyUnavailableKeysMayTurnUpLater() {
        #expect(Self.all.filter(\.isRetryable) == [.keysUnavailable])
    }

    @Test(arguments: [(nil, nil), (0, 0), (1, 1), (16_384, 16_384), (Int.max, Int(Int32.max))] as [(Int?, Int?)])
    func offsetsAreKeptAsFarAsTheyGo(given: Int?, kept: Int?) {
        #expect(VerificationError(.invalidJSON, at: given).offset == kept)
        #expect(VerificationError(.invalidJSON, at: given).shifted(by: 0).offset == kept)
    }

    @Test
    func offsetsMoveWithTheTextTheyAreIn() {
        #expect(VerificationError(.invalidJSON, at: 3).shifted(by: 4).offset == 7)
        #expect(VerificationError(.invalidJSON).shifted(by: 4).offset == nil)
        #expect(VerificationError(.missingClaim, at: 0, claim: .expiration).shifted(by: 1).claim == .expiration)
    }

    @Test(arguments: [
        (VerificationError(.expired, claim: .expiration), "expired: the token has expired [exp]"),
        (VerificationError(.invalidJSON, at: 12), "invalid_json: not JSON as RFC 8259 has it (at byte 12)"),
        (VerificationError(.tooOld, at: 5, claim: .issuedAt), "too_old: the token was issued too long ago [iat] (at byte 5)"),
        (VerificationError(.signatureInvalid), "signature_invalid: the signature does not verify"),
    ])
    func descriptionSaysCodeClaimAndPlace(error: VerificationError, expected: String) {
        #expect(error.description == expected)
    }

    /// Offsets refer to the compact token, also for errors in its decoded parts: the character with the byte's first bits.
    @Test
    func offsetsPointIntoTheToken() throws {
        let forge = Forges.ed25519
        let header = #"{"alg":"EdDSA"}"#, headerEnd = (header.utf8.count * 8 + 5) / 6
        func error(_ token: String) -> VerificationError? {
            do throws(VerificationError) { _ = try forge.verifier().verify(token, now: TokenForge.now) } catch { return error }
            return nil
        }
        let payload = #"{"iss":"a","exp":tru}"#
        // Byte 17 of the payload begins in its character 22, byte 7 in 9.
        #expect(error(forge.token(header: header, payload: payload)) == VerificationError(.invalidJSON, at: headerEnd + 1 + 22))
        let number = forge.token(header: header, payload: #"{"aud":7}"#)
        #expect(error(number) == VerificationError(.invalidClaim, at: headerEnd + 1 + 9, claim: .audience))
        #expect(error(forge.token(header: #"{"alg":}"#)) == VerificationError(.invalidJSON, at: 9))
        #expect(error("e30.e3!.AA") == VerificationError(.invalidBase64URL, at: 6))
        #expect(error("e30.e30.A*") == VerificationError(.invalidBase64URL, at: 9))
        #expect(error("e3\u{7f}.e30.AA") == VerificationError(.invalidBase64URL, at: 2))
        #expect(error("e30..AA") == VerificationError(.malformedToken, at: 4))
    }
}
