// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.testing.Need;
import dev.muster.testing.Program;
import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Two hosts out of namespaces of the kernel, each with its own network, host name and /dev/shm, and a cable between
/// them. Nothing of this host's network is touched. Closing ends all processes on them.
public final class TwoHosts implements AutoCloseable {
    private static final long LIMIT_SECONDS = 20;
    private static final String NET = "10.78.0.";

    private final String mark = "muster-test-" + ProcessHandle.current().pid() + "-";
    private final List<Process> keepers = new ArrayList<>();

    private TwoHosts() {}

    /// The test ends as skipped where namespaces cannot be made.
    public static TwoHosts require() {
        Need.LINUX.require();
        Need.ROOT.require();
        Need.SHARED_MEMORY.require();
        for (String program : List.of("ip", "nsenter", "unshare")) {
            Program.require(program);
        }
        String name = "muster-try-" + ProcessHandle.current().pid();
        if (tried("ip", "netns", "add", name) != 0) {
            throw Need.unmet("a system that allows namespaces of the network");
        }
        run("ip", "netns", "del", name);
        return start();
    }

    private static TwoHosts start() {
        TwoHosts hosts = new TwoHosts();
        try {
            for (int host = 0; host < 2; host++) {
                run("ip", "netns", "add", hosts.name(host));
                run("ip", "-n", hosts.name(host), "link", "set", "lo", "up");
            }
            run(
                    "ip",
                    "-n",
                    hosts.name(0),
                    "link",
                    "add",
                    "eth0",
                    "type",
                    "veth",
                    "peer",
                    "name",
                    "eth0",
                    "netns",
                    hosts.name(1));
            for (int host = 0; host < 2; host++) {
                run("ip", "-n", hosts.name(host), "addr", "add", address(host) + "/24", "dev", "eth0");
                run("ip", "-n", hosts.name(host), "link", "set", "eth0", "up");
                hosts.keep(host);
            }
            return hosts;
        } catch (RuntimeException | Error e) {
            hosts.close();
            throw e;
        }
    }

    /// Mounts and names last as long as a process has them.
    private void keep(int host) {
        String script = "mount --make-rprivate / && mount -t tmpfs -o size=256m shm /dev/shm && hostname test-host-"
                + host + " && echo up && read -r end";
        try {
            Process keeper = new ProcessBuilder(
                            "ip", "netns", "exec", name(host), "unshare", "-m", "-u", "sh", "-c", script)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            keepers.add(keeper);
            BufferedReader out = keeper.inputReader(StandardCharsets.UTF_8);
            if (!"up".equals(Waiting.bounded(out::readLine))) {
                throw new AssertionError("host " + host + " does not come up");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String name(int host) {
        return mark + host;
    }

    /// Returns the address of a host on the cable.
    public static String address(int host) {
        return NET + (host + 1);
    }

    /// Returns the prefix of a command that runs on a host; it becomes that command.
    public List<String> way(int host) {
        return List.of("nsenter", "-t", Long.toString(keepers.get(host).pid()), "-m", "-u", "-n", "--");
    }

    /// Pulls the cable.
    public void cut() {
        run("ip", "-n", name(0), "link", "set", "eth0", "down");
    }

    /// Plugs the cable in again.
    public void heal() {
        run("ip", "-n", name(0), "link", "set", "eth0", "up");
    }

    /// Files that were left in the shared memory of both hosts.
    public List<String> filesLeft() {
        List<String> left = new ArrayList<>();
        for (int host = 0; host < 2; host++) {
            List<String> command = new ArrayList<>(way(host));
            command.addAll(List.of("ls", "/dev/shm"));
            left.addAll(output(command));
        }
        return left;
    }

    /// Processes that run on a host, but for the one that keeps it.
    public List<String> processes(int host) {
        return output(List.of("ip", "netns", "pids", name(host))).stream()
                .filter(pid -> !pid.equals(Long.toString(keepers.get(host).pid())))
                .toList();
    }

    private static List<String> output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String text = Waiting.output(process);
            await(process, command);
            return text.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(String... command) {
        int code = tried(command);
        if (code != 0) {
            throw new AssertionError(String.join(" ", command) + " ends with " + code);
        }
    }

    private static int tried(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return await(process, List.of(command));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int await(Process process, List<String> command) {
        try {
            if (!process.waitFor(Waiting.seconds(LIMIT_SECONDS), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        for (int host = 0; host < keepers.size(); host++) {
            for (String pid : processes(host)) {
                int _ = tried("sh", "-c", "kill -9 " + pid);
            }
        }
        keepers.forEach(Process::destroyForcibly);
        for (int host = 0; host < 2; host++) {
            int _ = tried("ip", "netns", "del", name(host));
        }
    }
}
