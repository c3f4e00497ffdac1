/// An error in a PNG.
public enum PNGFailure: Error, Hashable {
    /// It does not begin with the PNG signature.
    case notPNG
    /// The final chunk is missing.
    case truncated
    /// Larger than ``PNGReader/maximumPixels`` or ``PNGReader/maximumBytes``.
    case size
    /// libpng refuses it or gives a warning.
    case badData
    /// libpng finds no memory for the encoded picture.
    case outOfMemory
}
