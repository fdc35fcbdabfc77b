package dev.muster.plan.catalogue;

import java.util.ArrayList;
import java.util.List;

/// Takes CSV apart, record by record, as RFC 4180 says. A line may end with LF alone, and lines without any character
/// are skipped. Confined to one thread.
final class CsvParser {
    static final int MAX_CHARACTERS = 8 << 20;
    static final int MAX_ROWS = 20_000;
    static final int MAX_COLUMNS = 64;
    static final int MAX_FIELD = 2_000;

    /// What spreadsheets put before the first character of UTF-8.
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private static final int FIRST_PRINTABLE = 0x20;

    private final String text;
    private int at;
    private int nextLine = 1;
    private int line;
    private List<String> fields = List.of();

    CsvParser(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw CatalogueException.of("the table has " + text.length() + " characters, at most " + MAX_CHARACTERS
                    + " are read; split it");
        }
        this.text = text;
        this.at = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0;
    }

    /// Goes to the next record.
    ///
    /// @return whether there is one
    boolean next() {
        while (atLineEnd()) {
            skipLineEnd();
        }
        if (at >= text.length()) {
            return false;
        }
        line = nextLine;
        fields = new ArrayList<>();
        readField();
        while (at < text.length() && text.charAt(at) == ',') {
            at++;
            readField();
        }
        skipLineEnd();
        return true;
    }

    /// The line on which the record begins, from 1.
    int line() {
        return line;
    }

    /// The fields of the record.
    List<String> fields() {
        return fields;
    }

    private void readField() {
        if (fields.size() == MAX_COLUMNS) {
            throw CatalogueException.at(line, "a row has at most " + MAX_COLUMNS + " fields; delete some");
        }
        fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
    }

    private String plain() {
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
                throw CatalogueException.at(
                        nextLine, "a quote stands inside a field; put the whole field in quotes and double the inner");
            }
            checkCharacter(character);
        }
        checkLength(at - start);
        return text.substring(start, at);
    }

    private String quoted() {
        int begin = nextLine;
        StringBuilder field = new StringBuilder();
        at++;
        while (at < text.length()) {
            char character = text.charAt(at);
            if (character == '"') {
                at++;
                if (at >= text.length() || text.charAt(at) != '"') {
                    checkFieldEnd();
                    return field.toString();
                }
            } else if (character == '\n') {
                nextLine++;
            } else if (character != '\r') {
                checkCharacter(character);
            }
            field.append(character);
            at++;
            checkLength(field.length());
        }
        throw CatalogueException.at(begin, "a quoted field does not end; put a quote at its end");
    }

    private void checkFieldEnd() {
        if (at < text.length() && text.charAt(at) != ',' && !atLineEnd()) {
            throw CatalogueException.at(nextLine, "something follows a closing quote; put a comma between");
        }
    }

    private void checkCharacter(char character) {
        if (character < FIRST_PRINTABLE && character != '\t') {
            throw CatalogueException.at(
                    nextLine, "character " + (int) character + " cannot be printed; save the table as plain text");
        }
    }

    private void checkLength(int length) {
        if (length > MAX_FIELD) {
            throw CatalogueException.at(
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
}
