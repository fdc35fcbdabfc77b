// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A rank on another host, which the system's ssh starts there.
///
/// The secret comes over standard input, since command lines can be read by all users of a host. Standard input is
/// also the lifeline: when it ends, because the launcher lets go of it, was killed, or the network is cut, the rank and
/// what it started are ended there.
///
/// @param ssh the command and its options, such as `ssh -p 2222`
/// @param host its name, perhaps with a user
/// @param grace time in which the rank must end by itself
/// @param limit longest wait of ranks for each other: a cut connection is noticed about as soon
record RemoteRank(List<String> ssh, String host, Duration grace, Duration limit) {
    /// Keys alone: a password cannot be typed for each rank.
    private static final List<String> OPTIONS = List.of("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10");

    /// The number of questions without an answer after which ssh takes the connection for cut.
    private static final int QUESTIONS = 3;
    /// The longest time between two questions in seconds.
    private static final int RARELY = 5;

    /// No apostrophes in here: all of it stands between two. Background commands read from nothing unless told
    /// otherwise, hence the third descriptor. Without setsid, as on macOS, only the rank itself is ended.
    private static final String SCRIPT = """
            IFS= read -r MUSTER_SECRET || exit 255
            export MUSTER_SECRET
            cd "$1" 2>/dev/null || echo "muster: no folder $1 here, so it runs in $PWD" >&2
            grace=$2
            shift 2
            group=
            run=
            if command -v setsid >/dev/null; then run=setsid; group=-; fi
            exec 3<&0
            $run env "$@" </dev/null 3<&- &
            rank=$!
            {
                cat <&3 >/dev/null
                kill -TERM -- "$group$rank" && sleep "$grace" && kill -KILL -- "$group$rank"
            } >/dev/null 2>&1 &
            lifeline=$!
            wait "$rank"
            code=$?
            kill "$lifeline" 2>/dev/null
            exit "$code"
            """;

    /// The command that starts it.
    ///
    /// @param folder working folder, if the host has it
    /// @param variables its variables, except for the secret
    List<String> command(String folder, Map<String, String> variables, List<String> program) {
        List<String> words =
                new ArrayList<>(List.of("exec", "sh", "-c", quoted(SCRIPT), "muster-rank", quoted(folder), seconds()));
        variables.forEach((name, value) -> words.add(quoted(name + "=" + value)));
        program.forEach(word -> words.add(quoted(word)));
        List<String> command = new ArrayList<>(ssh);
        command.addAll(OPTIONS);
        long period = Math.clamp(limit.toSeconds() / QUESTIONS, 1, RARELY);
        command.addAll(List.of("-o", "ServerAliveInterval=" + period, "-o", "ServerAliveCountMax=" + QUESTIONS));
        command.addAll(List.of("--", host, String.join(" ", words)));
        return command;
    }

    private String seconds() {
        return String.valueOf(Math.max(1, grace.toSeconds()));
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
