import CommandProgram
import Foundation
import Testing

/// SQLite gets no memory in the middle of a command, where the start of the program has found enough.
@Suite struct DatabaseMemoryTests {
    @Test func itIsAMissingResource() {
        let failure = CommandFailure(NSError(domain: "GRDB.DatabaseError", code: 7))
        #expect(failure.exitCode == 5)
        #expect(failure.message == "Error: this program needs more memory: Cannot allocate memory")
        #expect(failure.document == #"{"code":"resource","exit_code":5,"reason":"this program needs more memory: Cannot allocate memory"}"#)
    }

    @Test(arguments: [1, 5, 11, 13, 14]) func otherCodesAreNot(code: Int) {
        #expect(CommandFailure.ofMemory(NSError(domain: "GRDB.DatabaseError", code: code)) == nil)
    }

    @Test func anErrorOfAnotherLibraryIsNot() {
        #expect(CommandFailure.ofMemory(NSError(domain: "NSPOSIXErrorDomain", code: 7)) == nil)
    }
}
