import IDaaSWire
import Testing

@Suite struct MaskedTests {
    static let numbers = [
        ("+86-13800001234", "+86-138****1234"), ("13800001234", "138****1234"), ("+852-61234567", "+852-61****67"), ("12345", "****"),
        ("+86-123", "+86-****"), ("+8613800001234", "861****1234"), ("+86 138-0000-1234", "861****1234"), ("", "****"),
    ]

    @Test(arguments: numbers) func aNumberShowsItsAreaCodeAndItsEnds(_ number: String, masked: String) {
        #expect(Masked.mobile(number) == masked)
    }

    @Test func aTokenShowsTheFirstEightDigitsOfItsSHA256() { #expect(Masked.token("abc") == "ba7816bf") }

    @Test func numbersInATextAreMasked() {
        #expect(
            Masked.numbers(in: "to +86-13800001234 and 2B8613800001234, 12345 stay") == "to +86-138****1234 and 2B861****1234, 12345 stay")
    }
}
