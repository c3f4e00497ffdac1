/// The languages of error texts and messages.
public enum Language: String, Hashable, Sendable, CaseIterable, Codable {
    case chinese = "zh"
    case english = "en"

    /// The text of this language.
    package func choose(_ english: String, _ chinese: String) -> String { self == .english ? english : chinese }
}
