import CFuzzDriver

/// What the C library says, for comparison.
public enum CLibrary {
    /// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other text.
    public static func date(_ text: String) -> Int64? {
        var seconds: Int64 = 0
        return fuzz_http_date(&seconds, text) == 1 ? seconds : nil
    }
}
