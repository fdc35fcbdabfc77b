// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of a call.
 *
 * @param limit seconds of processor time for the tests of one mutant
 * @param work empty for a folder of the system's
 * @param modules empty for all
 */
record Options(Path home, long seed, int count, int limit, String work, boolean again, List<String> modules) {
    static Options parse(String[] args) {
        Path home = Path.of("");
        long seed = 1;
        int count = 40;
        int limit = 300;
        String work = "";
        boolean again = false;
        List<String> modules = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--home" -> home = Path.of(args[++i]);
                case "--seed" -> seed = Long.parseLong(args[++i]);
                case "--count" -> count = Integer.parseInt(args[++i]);
                case "--limit" -> limit = Integer.parseInt(args[++i]);
                case "--work" -> work = args[++i];
                case "--again" -> again = true;
                default -> {
                    if (args[i].startsWith("-")) {
                        System.err.println("mutate: unknown option '" + args[i] + "'; scripts/mutate --help lists all");
                        System.exit(64);
                    }
                    modules.add(args[i]);
                }
            }
        }
        return new Options(home, seed, count, limit, work, again, List.copyOf(modules));
    }
}
