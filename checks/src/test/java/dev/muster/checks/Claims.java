// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The content of `docs/claims.md`: promises of documents with their proofs, and sections without promises.
record Claims(List<Promise> promises, List<Silence> silences) {
    static final Path ROOT = Path.of("..");

    private static final Path PAGE = ROOT.resolve("docs/claims.md");
    /// The section of the page that lists text without promises; all others have the name of a document.
    private static final String NOTHING = "No promises";

    private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

    /// Words or a heading of a document, and the tests and scripts that prove them.
    record Promise(String document, String words, List<String> proofs) {}

    /// A heading or words of a document without promises, and the reason.
    record Silence(String document, String words, String why) {}

    /// A document's heading, `# …` or `## …`, and the text up to the next, as [#fold] leaves it.
    record Section(String heading, String text) {}

    static Claims read() throws IOException {
        List<Promise> promises = new ArrayList<>();
        List<Silence> silences = new ArrayList<>();
        String document = "";
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("## ")) {
                document = line.substring(3).strip();
            }
            List<String> cells = cells(line);
            if (document.equals(NOTHING) && cells.size() == 3) {
                silences.add(new Silence(cells.get(0), fold(cells.get(1)), cells.get(2)));
            } else if (cells.size() == 2) {
                promises.add(new Promise(
                        document, fold(cells.get(0)), List.of(cells.get(1).split(", "))));
            }
        }
        return new Claims(promises, silences);
    }

    /// Documents whose promises need proof. Decisions are records of choices and need none.
    static List<String> documents() throws IOException {
        List<String> documents = new ArrayList<>(List.of("README.md", "SECURITY.md"));
        for (String folder : List.of("docs", "docs/engines", "docs/guides")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                files.map(file -> folder + "/" + file.getFileName())
                        .filter(name -> name.endsWith(".md") && !name.equals("docs/claims.md"))
                        .sorted()
                        .forEach(documents::add);
            }
        }
        return documents;
    }

    static List<Section> sections(String document) throws IOException {
        List<Section> sections = new ArrayList<>();
        String heading = "";
        StringBuilder text = new StringBuilder();
        boolean code = false;
        for (String line : Files.readAllLines(ROOT.resolve(document))) {
            code ^= line.strip().startsWith("```");
            if (!code && (line.startsWith("# ") || line.startsWith("## "))) {
                sections.add(new Section(heading, fold(text.toString())));
                heading = line.strip();
                text.setLength(0);
            } else {
                text.append(line).append('\n');
            }
        }
        sections.add(new Section(heading, fold(text.toString())));
        sections.removeIf(section -> section.text().isEmpty());
        return sections;
    }

    /// Words of this document, and headings, that need no proof or have one.
    List<String> wordsOf(String document) {
        return Stream.concat(
                        promises.stream()
                                .filter(promise -> promise.document().equals(document))
                                .map(Promise::words),
                        silences.stream()
                                .filter(silence -> silence.document().equals(document))
                                .map(Silence::words))
                .toList();
    }

    /// One line, links without their targets.
    static String fold(String text) {
        Matcher links = LINK.matcher(text);
        return links.replaceAll("$1")
                .replace("\\|", "|")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /// The cells of a row; none if the line is not a row, or is the header of a table.
    private static List<String> cells(String line) {
        if (!line.startsWith("| ")
                || line.startsWith("| claim |")
                || line.startsWith("| section |")
                || line.startsWith("| document |")) {
            return List.of();
        }
        return Stream.of(CELL.split(line.strip())).skip(1).map(String::strip).toList();
    }
}
