import IDaaSServer
import Testing

struct PasswordHashTests {
    private static let text = "$scrypt$ln=4,r=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test
    func aStoredHashIsReadAsItIsWritten() throws {
        #expect(try #require(PasswordHash(text: Self.text)).text == Self.text)
        #expect(try #require(PasswordHash(text: Self.text)).matches("any") == false)
    }

    @Test(arguments: [
        "", "$scrypt$", "$bcrypt$ln=4,r=1,p=1$AA$AA", "$scrypt$ln=4,r=1$AAAA$AAAA", "$scrypt$ln=40,r=8,p=1$AAAA$AAAA",
        "$scrypt$ln=4,r=1,p=1$?$AAAA", "$scrypt$ln=4,r=1,p=1$AAAA$AAAA",
    ])
    func anythingElseIsNoHash(_ text: String) { #expect(PasswordHash(text: text) == nil) }
}
