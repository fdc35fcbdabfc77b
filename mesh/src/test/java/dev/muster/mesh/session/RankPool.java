package dev.muster.mesh.session;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Processes that play ranks in one mesh after the other; those that are killed are replaced.
final class RankPool implements AutoCloseable {
    private static final long END_SECONDS = 30;

    private final List<Player> players = new ArrayList<>();

    RankPool(int size) {
        for (int i = 0; i < size; i++) {
            players.add(Player.start());
        }
    }

    Player player(int index) {
        return players.get(index);
    }

    void replace(int index) {
        players.get(index).close();
        players.set(index, Player.start());
    }

    @Override
    public void close() {
        players.forEach(Player::close);
    }

    /// One process, and what it says.
    static final class Player implements AutoCloseable {
        private final Process process;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        private Player(Process process) {
            this.process = process;
            Thread.ofVirtual().start(this::read);
        }

        static Player start() {
            List<String> command = List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xshare:auto",
                    "-cp",
                    System.getProperty("java.class.path")
                            + ":target/classes:target/test-classes:../core/target/classes",
                    "dev.muster.mesh.session.RankMain");
            try {
                return new Player(new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                lines.add("broken " + e.getMessage());
            }
            lines.add("ended");
        }

        /// The next line that is not `looping`; a process that says nothing for so long hangs.
        String answer(long seconds) {
            try {
                while (true) {
                    String line = lines.poll(seconds, TimeUnit.SECONDS);
                    if (line == null) {
                        return "hangs";
                    }
                    if (!line.equals("looping")) {
                        return line;
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void tell(String line) {
            try {
                process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void signal(String name) {
            try {
                Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
                if (!kill.waitFor(END_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                    throw new AssertionError("cannot send " + name);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
            try {
                if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("a rank does not end");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
