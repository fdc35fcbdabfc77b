package dev.muster.core.json;

/// Turns an offset into a line and a column for people, both from 1; columns count bytes.
final class TextPosition {
    private TextPosition() {}

    static DocumentException error(DocumentException.Code code, byte[] text, int offset, String message) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < offset; i++) {
            if (text[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        String place = "line " + line + ", column " + (offset - lineStart + 1);
        return new DocumentException(code, offset, place + ": " + message);
    }
}
