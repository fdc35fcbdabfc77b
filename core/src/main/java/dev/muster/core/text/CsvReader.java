// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes CSV apart, record by record, as RFC 4180 says. A line may end with LF alone, and lines without any character
/// are skipped. Confined to one thread.
///
/// Strict, for tables in files: anything that is not CSV is an error with its line. Lenient, for output of tools:
/// fields lose the blanks around them, a quote may stand anywhere, none reaches over a line, and fields beyond
/// [#MAX_LENIENT_COLUMNS] are dropped.
public final class CsvReader {
    /// The longest text that is read strictly.
    public static final int MAX_CHARACTERS = 8 << 20;

    /// The most fields of a record that are read leniently.
    public static final int MAX_LENIENT_COLUMNS = 256;

    /// The most fields of a record that are read strictly.
    public static final int MAX_COLUMNS = 64;

    /// The longest field that is read strictly.
    public static final int MAX_FIELD = 2_000;

    /// The byte order mark that spreadsheets write before the first character of UTF-8.
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final int FIRST_PRINTABLE = 0x20;

    private final String text;
    private final @Nullable Fault fault;
    private int at;
    private int nextLine = 1;
    private int line;
    private List<String> fields = List.of();

    private CsvReader(String text, @Nullable Fault fault) {
        this.text = text;
        this.fault = fault;
        this.at = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
    }

    /// Reads strictly.
    ///
    /// @param fault makes the exception for what is wrong
    public static CsvReader strict(String text, Fault fault) {
        if (text.length() > MAX_CHARACTERS) {
            throw fault.at(
                    0,
                    "the table has " + text.length() + " characters, at most " + MAX_CHARACTERS
                            + " are read; split it");
        }
        return new CsvReader(text, fault);
    }

    /// The fields of one line, read leniently; there is at least one, perhaps blank.
    public static List<String> fieldsOf(String line) {
        CsvReader reader = new CsvReader(line, null);
        return reader.next() ? reader.fields() : List.of("");
    }

    /// Goes to the next record.
    ///
    /// @return true if there is one
    public boolean next() {
        while (atLineEnd()) {
            skipLineEnd();
        }
        if (at >= text.length()) {
            return false;
        }
        line = nextLine;
        fields = new ArrayList<>(fields.size());
        readField();
        while (at < text.length() && text.charAt(at) == ',') {
            at++;
            readField();
        }
        skipLineEnd();
        return true;
    }

    /// The line on which the record begins, from 1.
    public int line() {
        return line;
    }

    public List<String> fields() {
        return fields;
    }

    private void readField() {
        Fault strict = fault;
        if (strict == null) {
            String field = lenient();
            if (fields.size() < MAX_LENIENT_COLUMNS) {
                fields.add(field);
            }
            return;
        }
        if (fields.size() == MAX_COLUMNS) {
            throw strict.at(line, "a row has at most " + MAX_COLUMNS + " fields; delete some");
        }
        // Most fields of wide tables are blank.
        char first = at < text.length() ? text.charAt(at) : ',';
        fields.add(first == ',' ? "" : first == '"' ? quoted(strict) : plain(strict));
    }

    private String lenient() {
        StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        while (at < text.length() && !atLineEnd() && (isQuoted || text.charAt(at) != ',')) {
            char character = text.charAt(at++);
            if (character != '"') {
                field.append(character);
            } else if (isQuoted && at < text.length() && text.charAt(at) == '"') {
                field.append(character);
                at++;
            } else {
                isQuoted = !isQuoted;
            }
        }
        return field.toString().strip();
    }

    private String plain(Fault strict) {
        int start = at;
        for (; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character > ',') {
                continue; // nearly all are: this loop is most of what it takes to read a table
            }
            if (character == ',' || atLineEnd()) {
                break;
            }
            if (character == '"') {
                throw strict.at(
                        nextLine, "a quote stands inside a field; put the whole field in quotes and double the inner");
            }
            checkCharacter(character, strict);
        }
        checkLength(at - start, strict);
        return text.substring(start, at);
    }

    private String quoted(Fault strict) {
        int begin = nextLine;
        StringBuilder before = null; // what stood before a doubled quote, which is rare
        while (true) {
            at++; // behind a quote
            int piece = at;
            int end = text.indexOf('"', at);
            int length = before == null ? 0 : before.length();
            for (int stop = end < 0 ? text.length() : end; at < stop; at++) {
                char character = text.charAt(at);
                if (character == '\n') {
                    nextLine++;
                } else if (character < FIRST_PRINTABLE && character != '\r') {
                    checkCharacter(character, strict);
                }
                checkLength(length + at - piece + 1, strict);
            }
            if (end < 0) {
                throw strict.at(begin, "a quoted field does not end; put a quote at its end");
            }
            at = end + 1;
            if (at >= text.length() || text.charAt(at) != '"') {
                checkFieldEnd(strict);
                return before == null
                        ? text.substring(piece, end)
                        : before.append(text, piece, end).toString();
            }
            before = (before == null ? new StringBuilder() : before).append(text, piece, at);
            checkLength(before.length(), strict);
        }
    }

    private void checkFieldEnd(Fault strict) {
        if (at < text.length() && text.charAt(at) != ',' && !atLineEnd()) {
            throw strict.at(nextLine, "something follows a closing quote; put a comma between");
        }
    }

    private void checkCharacter(char character, Fault strict) {
        if (character < FIRST_PRINTABLE && character != '\t') {
            throw strict.at(
                    nextLine, "character " + (int) character + " cannot be printed; save the table as plain text");
        }
    }

    private void checkLength(int length, Fault strict) {
        if (length > MAX_FIELD) {
            throw strict.at(
                    nextLine,
                    "a field has more than " + MAX_FIELD + " characters; shorten it or look for a lost quote");
        }
    }

    private boolean atLineEnd() {
        return at < text.length()
                && (text.charAt(at) == '\n' || (text.charAt(at) == '\r' && text.startsWith("\r\n", at)));
    }

    private void skipLineEnd() {
        if (atLineEnd()) {
            at += text.charAt(at) == '\n' ? 1 : 2;
            nextLine++;
        }
    }

    /// Makes the exception for what is wrong with a text.
    @FunctionalInterface
    public interface Fault {
        /// An exception to throw.
        ///
        /// @param line the line, from 1; 0 for the text as a whole
        /// @param what the error and its remedy
        RuntimeException at(int line, String what);
    }
}
