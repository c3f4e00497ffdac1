import FuzzInput
import JWTCore
import JWTDecryption

/// What a decryptor said of a token.
enum Opening: Equatable {
    case opened([UInt8])
    case refused(VerificationError)

    init(_ decryptor: Decryptor, _ token: [UInt8]) {
        do throws(VerificationError) {
            self = .opened(try decryptor.content(of: token.span, needsContentType: !decryptor.acceptsMissingContentType))
            ReachedCodes.note("opened")
        } catch {
            ReachedCodes.note(error)
            precondition(
                !error.description.isEmpty && error.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }, "an unprintable error")
            self = .refused(error)
            return
        }
        do throws(VerificationError) {
            _ = try decryptor.decrypt(token)
        } catch {
            ReachedCodes.note(error)
            precondition(error.code == .notNested, "a content that opens and does not")
        }
    }

    var content: [UInt8]? { if case .opened(let content) = self { content } else { nil } }
}
