internal import AssayTesting
public import IDaaSFlows
public import IDaaSWire

/// Solves sliders as a person does: from the two pictures.
public struct SolvingPresenter: SliderPresenter {
    public init() {}

    public func answer(to challenge: SliderChallenge) async -> SliderAnswer {
        guard let x = try? SliderSolver.x(background: challenge.background, piece: challenge.piece) else { return .another }
        return .point(SliderPoint(x: Double(x)))
    }
}
