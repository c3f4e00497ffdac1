internal import COpenSSL
internal import Foundation
internal import Secrets
internal import Testing

struct OAEPTests {
    @Test(arguments: OAEPVector.all)
    func wycheproofGoodCiphertextsGiveTheirTextBadOnesNothing(vector: OAEPVector) throws {
        let key = try #require(DecryptionKey.importing(OAEPVector.key))
        #expect(key.decrypt(vector.ciphertext, mask: vector.mask) == vector.plaintext)
        #expect(cossl_error_queue_is_empty() == 1)
    }

    @Test(arguments: [OAEPMask.sha256, .sha1])
    func decryptionNeedsTheSameMask(mask: OAEPMask) throws {
        let key = try #require(DecryptionKey.generate())
        let recipient = try #require(EncryptionKey(document: key.publicPEM))
        for length in [0, 1, 100, 190] {
            let text = Randomness.system.bytes(length)
            let ciphertext = try #require(recipient.encrypt(text, mask: mask))
            #expect(ciphertext.count == 256)
            #expect(key.decrypt(ciphertext, mask: mask) == text)
            #expect(key.decrypt(ciphertext, mask: mask == .sha1 ? .sha256 : .sha1) == nil)
        }
        #expect(recipient.encrypt([UInt8](repeating: 0, count: 191), mask: mask) == nil)
    }

    @Test
    func aPrivateKeyComesBackFromItsDocument() throws {
        let key = try #require(DecryptionKey.generate(bits: 3_072))
        let document = try #require(key.privateDocument)
        let again = try #require(DecryptionKey.importing(document))
        #expect(again.publicPEM == key.publicPEM)
        let ciphertext = try #require(EncryptionKey(document: again.publicPEM)?.encrypt([1, 2, 3]))
        #expect(key.decrypt(ciphertext) == [1, 2, 3] && again.decrypt(ciphertext) == [1, 2, 3])
    }

    @Test
    func aPrivateDocumentThatIsNoneIsCutOrGoesOnIsRefused() throws {
        let document = OAEPVector.key
        #expect(DecryptionKey.importing(document)?.privateDocument == document)
        for bad in [[], Array(document.dropLast()), document + [0], Array(document.dropFirst(26))] {
            #expect(DecryptionKey.importing(bad) == nil)
        }
        #expect(cossl_error_queue_is_empty() == 1)
    }

    @Test(arguments: [-1, 0, 512, 1_024, 2_047, 8_193])
    func sizesOutOfRangeAreRefused(bits: Int) { #expect(DecryptionKey.generate(bits: bits) == nil) }

    @Test
    func aPublicKeyIsReadInEveryFormThatProvidersHandOut() throws {
        let key = try #require(DecryptionKey.importing(OAEPVector.key))
        let body = key.publicPEM.split(separator: "\n").dropFirst().dropLast().joined()
        let forms = [
            key.publicPEM, key.publicPEM.replacing("\n", with: "\r\n"), key.publicPEM.replacing("\n", with: "\\n"),
            key.publicPEM.replacing("\n", with: "\\r\\n"), key.publicPEM.replacing("\n", with: " "), "a text before\n" + key.publicPEM,
            body, " \(body)\n", body.enumerated().map { $0.offset % 76 == 75 ? "\($0.element)\\n" : "\($0.element)" }.joined(),
        ]
        for form in forms {
            let recipient = try #require(EncryptionKey(document: form), "\(form)")
            #expect(recipient.encrypt([5]).flatMap { key.decrypt($0) } == [5])
        }
    }

    @Test
    func aTextThatIsNoPublicRSAKeyIsRefused() throws {
        let key = try #require(DecryptionKey.importing(OAEPVector.key))
        let cut = key.publicPEM.split(separator: "\n").dropFirst().dropLast(2).joined()
        let secret = Data(OAEPVector.key).base64EncodedString()
        let texts = [
            "", "-----BEGIN ", "-----BEGIN PUBLIC KEY-----", "not a key", cut, secret,
            "-----BEGIN PRIVATE KEY-----\n\(secret)\n-----END PRIVATE KEY-----", key.publicPEM + key.publicPEM,
        ]
        for text in texts { #expect(EncryptionKey(document: text) == nil, "\(text)") }
        #expect(cossl_error_queue_is_empty() == 1)
    }
}
