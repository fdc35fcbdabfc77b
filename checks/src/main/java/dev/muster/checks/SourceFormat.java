// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The one format of the Java sources: the licence in the first line, four blanks, 120 columns, imports sorted, none
/// unused. `scripts/format` applies it; the build fails where it is not applied.
public final class SourceFormat {
    private static final String LICENCE = "// SPDX-License-Identifier: Apache-2.0\n";
    private static final JavaFormatterOptions.Style STYLE = JavaFormatterOptions.Style.PALANTIR;

    private final Formatter formatter = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(STYLE).build());

    /// Formats every Java source below the given root folder.
    public static void main(String[] arguments) throws IOException {
        SourceFormat format = new SourceFormat();
        for (Path file : format.findUnformatted(Path.of(arguments[0]))) {
            Files.writeString(file, format.format(Files.readString(file)));
            System.out.println("formatted " + file);
        }
    }

    /// The sources below a root folder that are not in the one format.
    public List<Path> findUnformatted(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> sources = files.filter(SourceFormat::isSource).sorted().toList();
            return sources.parallelStream().filter(this::isUnformatted).toList();
        }
    }

    private boolean isUnformatted(Path file) {
        try {
            String text = Files.readString(file);
            return !format(text).equals(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSource(Path file) {
        String path = file.toString();
        return path.endsWith(".java") && path.contains("/src/") && !path.contains("/target/");
    }

    private String format(String text) {
        try {
            String licensed = text.startsWith(LICENCE) ? text : LICENCE + text;
            String trimmed = RemoveUnusedImports.removeUnusedImports(licensed);
            return formatter.formatSource(ImportOrderer.reorderImports(trimmed, STYLE));
        } catch (FormatterException e) {
            throw new UncheckedIOException(new IOException("the source does not parse: " + e.getMessage(), e));
        }
    }
}
