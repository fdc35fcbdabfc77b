// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the tests that could notice a mutant: those whose classes reach the changed class by what they name, the nearest
 * first, in the module of the mutant and then in those that depend on it. The first that fails ends it, if it fails a
 * second time and passes without the mutant.
 */
final class Tests {
    /** Seconds that one test class may take, by the clock. */
    private static final int PATIENCE = 300;

    private static final long POLL_MILLIS = 200;

    private final Workspace workspace;
    private final int limit;
    private final References references = new References();
    private final Map<String, Boolean> passes = new HashMap<>();
    private final Path baseline;

    Tests(Workspace workspace, int limit) throws IOException {
        this.workspace = workspace;
        this.limit = limit;
        baseline = workspace.folder().resolve("baseline.tsv");
        if (Files.exists(baseline)) {
            for (String line : Files.readAllLines(baseline)) {
                String[] fields = line.split("\t", -1);
                passes.put(fields[0], fields[1].equals("passes"));
            }
        }
        for (String module : workspace.modules()) {
            references.add(workspace.classes(module));
            references.add(workspace.testClasses(module));
        }
    }

    /** Whether a test noticed a mutant; which one, or what was run in vain. */
    record Verdict(boolean isNoticed, String detail) {}

    /**
     * What one process of tests came to.
     *
     * @param failed the class that failed; empty for none
     * @param test the unique id of the test that failed, or else the class
     */
    private record Run(String failed, String test, String reason, double seconds, boolean isCut) {}

    Verdict run(Mutant mutant) throws IOException, InterruptedException {
        Map<String, Integer> distances = references.distances(start(mutant));
        double seconds = 0;
        int run = 0;
        for (String module : workspace.dependants(mutant.module())) {
            List<String> left = sorted(module, mutant, distances);
            while (!left.isEmpty()) {
                Run one = execute(module, left, true, limit - seconds);
                seconds += one.seconds;
                if (one.failed.isEmpty()) {
                    run += left.size();
                    if (one.isCut) {
                        return new Verdict(false, "the limit of " + limit + " s came in " + module);
                    }
                    break;
                }
                // A test that fails by chance notices nothing.
                if (passesWithout(module, one.failed)
                        && !execute(module, List.of(one.failed), true, limit)
                                .failed
                                .isEmpty()) {
                    return new Verdict(true, one.failed + ": " + one.reason);
                }
                run += left.indexOf(one.failed);
                left = left.subList(left.indexOf(one.failed) + 1, left.size());
            }
        }
        return new Verdict(false, run + " test classes passed");
    }

    /** The changed class; for a constant that others have copies of, also those. */
    private List<String> start(Mutant mutant) throws IOException {
        List<String> classes = new ArrayList<>(List.of(mutant.outerClass()));
        try (Stream<Path> walk = Files.walk(workspace.overlay())) {
            for (Path file :
                    walk.filter(one -> one.toString().endsWith(".class")).toList()) {
                String name = workspace.overlay().relativize(file).toString().replace(File.separatorChar, '.');
                if (!name.contains("$")) {
                    classes.add(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
        return classes;
    }

    private List<String> sorted(String module, Mutant mutant, Map<String, Integer> distances) throws IOException {
        Path root = workspace.testClasses(module);
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.map(file -> root.relativize(file).toString().replace(File.separatorChar, '.'))
                    .filter(name -> name.endsWith("Test.class") && !name.contains("$"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .filter(distances::containsKey)
                    .sorted(Comparator.<String, Integer>comparing(name -> rank(name, mutant, distances))
                            .thenComparing(name -> name))
                    .toList();
        }
    }

    /**
     * A test named after a class comes right behind those of classes that are nearer to the change; one whose name begins
     * with the same word as that of the changed class comes among the first.
     */
    private static int rank(String test, Mutant mutant, Map<String, Integer> distances) {
        String named = test.substring(0, test.length() - "Test".length());
        int rank = Math.min(2 * distances.getOrDefault(named, Integer.MAX_VALUE / 4), 2 * distances.get(test) + 1);
        return firstWord(test).equals(firstWord(mutant.outerClass())) ? Math.min(rank, 1) : rank;
    }

    private static String firstWord(String name) {
        return name.substring(name.lastIndexOf('.') + 1).replaceFirst("(?<=[a-z0-9])[A-Z].*", "");
    }

    private boolean passesWithout(String module, String test) throws IOException, InterruptedException {
        String key = module + "/" + test;
        Boolean known = passes.get(key);
        if (known == null) {
            known = execute(module, List.of(test), false, limit).failed.isEmpty();
            passes.put(key, known);
            Files.writeString(
                    baseline,
                    key + "\t" + (known ? "passes" : "fails") + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        return known;
    }

    private Run execute(String module, List<String> tests, boolean isPlanted, double seconds)
            throws IOException, InterruptedException {
        Path list = Files.write(workspace.folder().resolve("tests.txt"), tests);
        Path report = workspace.folder().resolve("report.txt");
        Files.writeString(report, "");
        String path = (isPlanted ? workspace.overlay() + File.pathSeparator : "")
                + workspace.folder().resolve("worker")
                + File.pathSeparator
                + workspace.testPath(module);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        path,
                        "TestWorker",
                        list.toString(),
                        report.toString(),
                        String.valueOf(Math.max(1, (long) seconds)))
                .directory(workspace.tree().resolve(module).toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(workspace.folder().resolve("log").toFile())
                .start();
        long silentSince = System.nanoTime();
        long size = 0;
        boolean isStuck = false;
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (Files.size(report) != size) {
                size = Files.size(report);
                silentSince = System.nanoTime();
            } else if (System.nanoTime() - silentSince > TimeUnit.SECONDS.toNanos(PATIENCE)) {
                isStuck = true;
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        }
        return read(report, tests, isStuck ? "it did not end in " + PATIENCE + " s" : "its process ended");
    }

    /** Lines of a report: `begin TEST`, then `pass SECONDS`, `fail SECONDS ID REASON`, or `cut SECONDS` at the limit. */
    private static Run read(Path report, List<String> tests, String otherwise) throws IOException {
        String running = "";
        double seconds = 0;
        List<String> lines = Files.readAllLines(report);
        for (String line : lines) {
            String[] fields = line.split("\t", 4);
            switch (fields[0]) {
                case "begin" -> running = fields[1];
                case "pass" -> {
                    running = "";
                    seconds = Double.parseDouble(fields[1]);
                }
                case "fail" -> {
                    return new Run(running, fields[2], fields[3], Double.parseDouble(fields[1]), false);
                }
                case "cut" -> {
                    return new Run("", "", "", Double.parseDouble(fields[1]), true);
                }
                default -> throw new IllegalStateException("an unknown line in a report: " + line);
            }
        }
        String stopped = running.isEmpty() ? tests.getFirst() : running;
        return running.isEmpty() && !lines.isEmpty()
                ? new Run("", "", "", seconds, false)
                : new Run(stopped, stopped, otherwise, seconds, false);
    }
}
