/// A session's place in a status list. All id_tokens of the session name it.
package struct StatusPlace: Hashable, Sendable {
    /// The list's id.
    package var list: String
    /// `idx`, from zero.
    package var index: Int

    package init(list: String, index: Int) {
        self.list = list
        self.index = index
    }
}
