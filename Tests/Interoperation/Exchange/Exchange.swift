import AssayTesting
import Glibc
import JWTCore
import Program

/// Makes and verifies SD-JWTs and documents in JWS JSON serialization, for a test with other implementations: a question on each line of
/// standard input, an answer on each line of standard output, both JSON.
@main
struct Exchange {
    static func main() throws {
        _ = ProgramArguments.orExit()
        while let line = readLine() {
            print(String(decoding: answer(to: try JSONTree(parsing: Array(line.utf8))).json, as: UTF8.self))
            // The reader waits at the other end of a pipe.
            _ = fflush(nil)
        }
    }

    private static func answer(to question: JSONTree) -> JSONTree {
        do {
            return switch question["ask"]?.text {
            case "present": try PresentationQuestion(question).presentation
            case "verify presentation": try PresentationQuestion(question).verdict
            case "sign": try DocumentQuestion(question).document
            case "verify document": try DocumentQuestion(question).verdict
            default: .object(["error": .string("unknown question")])
            }
        } catch {
            return .object(["error": .string("\(error)")])
        }
    }
}

extension JSONTree {
    /// The text of a member.
    func required(_ name: String) throws -> String {
        guard let text = self[name]?.text else { throw MissingMember(name: name) }
        return text
    }

    var names: [String] { elements?.compactMap(\.text) ?? [] }

    var string: String { String(decoding: json, as: UTF8.self) }
}

struct MissingMember: Error {
    let name: String
}
