// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Times commands against each other: Rounds ROUNDS WARMUPS FILE...
 *
 * <p>Each file is one command, one argument a line. Every command runs once a round, so that a slow moment of the
 * machine meets all of them; the order turns by one each round, so that none is always the one after the slowest.
 * Prints per command: name of its file, least and median wall time in microseconds.
 */
final class Rounds {
    private Rounds() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        int warmups = Integer.parseInt(args[1]);
        List<Path> files = Arrays.stream(args).skip(2).map(Path::of).toList();
        List<List<String>> commands = new ArrayList<>();
        for (Path file : files) {
            commands.add(Files.readAllLines(file));
        }
        long[][] times = new long[commands.size()][rounds];
        for (int round = -warmups; round < rounds; round++) {
            for (int turn = 0; turn < commands.size(); turn++) {
                int which = Math.floorMod(turn + round, commands.size());
                long time = time(commands.get(which));
                if (round >= 0) {
                    times[which][round] = time;
                }
            }
        }
        for (int i = 0; i < times.length; i++) {
            Arrays.sort(times[i]);
            long median = (times[i][(rounds - 1) / 2] + times[i][rounds / 2]) / 2;
            System.out.println(files.get(i).getFileName() + " " + times[i][0] / 1000 + " " + median / 1000);
        }
    }

    private static long time(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        long start = System.nanoTime();
        int status = builder.start().waitFor();
        long time = System.nanoTime() - start;
        if (status > 1) { // 1 is an answer too: no
            throw new IOException("exit status " + status + ": " + String.join(" ", command));
        }
        return time;
    }
}
