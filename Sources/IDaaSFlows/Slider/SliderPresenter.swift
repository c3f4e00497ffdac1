public import IDaaSWire

/// Shows a slider to the user, on a page of the app or in a terminal, and returns the user's answer. SMS login needs no other user
/// interface.
///
/// When its task is cancelled it must return soon. The answer is ignored then.
public protocol SliderPresenter: Sendable {
    func answer(to challenge: SliderChallenge) async -> SliderAnswer
}

/// The user's answer to a slider.
public enum SliderAnswer: Hashable, Sendable {
    case point(SliderPoint)
    /// The user wants another picture.
    case another
    /// The user closed the slider.
    case closed
}
