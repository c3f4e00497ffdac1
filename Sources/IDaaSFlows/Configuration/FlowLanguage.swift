/// The languages that texts come in.
public enum FlowLanguage: String, Hashable, Sendable, CaseIterable, Codable {
    case chinese = "zh"
    case english = "en"
}
