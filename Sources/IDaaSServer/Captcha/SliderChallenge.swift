#if IDaaS
/// A slider's picture and piece, and what names them. Where the piece belongs stands nowhere in it.
package struct SliderChallenge: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let token: String
    /// PNG.
    package let originalImage: [UInt8]
    package let jigsawImage: [UInt8]
    /// Seconds.
    package let expire: Int
    package let width: Int
    package let height: Int
    package let blockWidth: Int
}
#endif
