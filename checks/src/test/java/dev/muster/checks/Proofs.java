// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The tests of all modules by class and method, and the scripts: what `docs/claims.md` may name as proof.
record Proofs(Map<String, Set<String>> tests) {
    /// The mark of claims that cannot be tried, as the document says.
    static final String NOT_VERIFIED = "not verified";

    private static final Pattern PROOF = Pattern.compile("`(?:(scripts/[a-z0-9-]+)(?: [^`]*)?|(\\w+)(?:\\.(\\w+))?)`");
    private static final Pattern MARK =
            Pattern.compile("\\s+@(?:Test|ParameterizedTest|TestFactory|RepeatedTest|FuzzTest)\\b.*");
    private static final Pattern METHOD = Pattern.compile("\\s+(?:static )?[\\w<>]+ (\\w+)\\(.*");

    static Proofs ofAllModules() throws IOException {
        Map<String, Set<String>> tests = new HashMap<>();
        for (Path module : list(Claims.ROOT)) {
            Path sources = module.resolve("src/test/java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                            .toList()) {
                        String name = file.getFileName().toString().replace(".java", "");
                        tests.computeIfAbsent(name, _ -> new TreeSet<>()).addAll(methods(file));
                    }
                }
            }
        }
        return new Proofs(tests);
    }

    /// Returns the fault of a proof and its remedy, if any.
    Optional<String> findFault(String proof) {
        Matcher named = PROOF.matcher(proof);
        if (proof.equals(NOT_VERIFIED)) {
            return Optional.empty();
        }
        if (!named.matches()) {
            return Optional.of("write a proof as `ClassTest`, `ClassTest.method`, `scripts/name` or " + NOT_VERIFIED);
        }
        if (named.group(1) != null) {
            return Files.isExecutable(Claims.ROOT.resolve(named.group(1)))
                    ? Optional.empty()
                    : Optional.of("no executable script has this name; name one that proves it");
        }
        Set<String> methods = tests.getOrDefault(named.group(2), Set.of());
        if (methods.isEmpty()) {
            return Optional.of("no test class has this name; name one that proves it");
        }
        return named.group(3) == null || methods.contains(named.group(3))
                ? Optional.empty()
                : Optional.of("the class has no test of this name; name the one that shows it");
    }

    /// Methods that a mark makes tests; other marks may stand between the two.
    private static Set<String> methods(Path file) throws IOException {
        Set<String> methods = new TreeSet<>();
        boolean marked = false;
        for (String line : Files.readAllLines(file)) {
            Matcher method = METHOD.matcher(line);
            if (MARK.matcher(line).matches()) {
                marked = true;
            } else if (marked && method.matches()) {
                methods.add(method.group(1));
                marked = false;
            }
        }
        return methods;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
