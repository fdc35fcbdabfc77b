package dev.muster.core.json;

/// How large a document a reader accepts. A registry of a thousand devices is far below each of these.
final class JsonLimits {
    /// Bytes of a whole document.
    static final int MAX_BYTES = 32 << 20;

    /// Objects and arrays inside each other.
    static final int MAX_DEPTH = 128;

    /// Bytes of one number.
    static final int MAX_NUMBER_LENGTH = 512;

    private JsonLimits() {}
}
