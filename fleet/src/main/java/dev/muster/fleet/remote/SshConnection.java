// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The way to one host: each command is a run of the system's ssh. Nothing is quoted, since it is unknown
/// which shell the user has there: words that a shell could take for anything but themselves are refused. Safe
/// to share between threads.
///
/// @param commands the programs of this machine, of which ssh is one
/// @param options further options of ssh, such as `-F FILE`
/// @param host the host's name
/// @param connectLimit the time a connection may take to come about
record SshConnection(HostCommands commands, List<String> options, String host, Duration connectLimit) {
    /// The exit code of ssh if it did not reach the command.
    static final int NO_CONNECTION = 255;
    /// The exit code of shells for a missing program.
    static final int NO_PROGRAM = 127;

    private static final Tool SSH = Tool.of("ssh");
    /// Not `=` first, which zsh takes for a path.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._/:,%@+-][A-Za-z0-9._/=:,%@+-]*");
    private static final int MOST_SHOWN = 300;

    /// Keys alone, since the session is not interactive; hosts that are known already; and no terminal, forwarding or
    /// shared
    /// connection that would outlive the command.
    private static final List<String> FIXED = List.of(
            "-T",
            "-x",
            "-a",
            "-o",
            "BatchMode=yes",
            "-o",
            "StrictHostKeyChecking=yes",
            "-o",
            "ClearAllForwardings=yes",
            "-o",
            "ControlMaster=no",
            "-o",
            "LogLevel=ERROR",
            "-o",
            "ServerAliveInterval=5",
            "-o",
            "ServerAliveCountMax=3");

    CommandOutcome run(List<String> words, CommandLimits limits) {
        for (String word : words) {
            if (!PLAIN.matcher(word).matches()) {
                return new CommandOutcome.NotRun(
                        "'" + word + "' has characters that a shell there could take for its own, so it is not run");
            }
        }
        return commands.run(SSH, line(words), limits);
    }

    private List<String> line(List<String> words) {
        List<String> line = new ArrayList<>(options);
        line.addAll(FIXED);
        line.addAll(List.of("-o", "ConnectTimeout=" + Math.max(1, connectLimit.toSeconds()), "--", host));
        line.addAll(words);
        return line;
    }

    /// The last message of ssh, on one line: warnings and banners come before it.
    static String reason(String error) {
        String last = error.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce("", (_, line) -> line)
                .replaceAll("\\p{Cntrl}", " ");
        return last.length() > MOST_SHOWN ? last.substring(0, MOST_SHOWN) + "…" : last;
    }
}
