// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.doctor;

import dev.muster.core.Finding;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.recording.FlightComparison;
import dev.muster.mesh.session.Backends;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Finds what may keep the ranks of a mesh from working together on this machine. Some checks try the thing
/// itself: they share memory, open sockets and sum numbers, each within a deadline. Immutable.
///
/// @param variables of this process: what a launcher may have set
/// @param sharedMemory the folder whose files lie in memory, such as `/dev/shm`
/// @param processors number of processors
/// @param accelerators number of devices that detection found, without the processor
/// @param processLimits text of `/proc/self/limits`; blank where that file does not exist
/// @param now the time of the examination
public record MeshDoctor(
        Map<String, String> variables,
        Path sharedMemory,
        int processors,
        int accelerators,
        String processLimits,
        Instant now) {
    /// Copies the variables.
    public MeshDoctor {
        variables = Map.copyOf(variables);
    }

    /// Examines this machine: a finding for each check, in the same order always.
    public List<Finding> examine() {
        LaunchChecks launch = new LaunchChecks(this);
        EngineChecks engines = new EngineChecks(this);
        List<Finding> findings = new ArrayList<>(List.of(
                launch.variables(),
                launch.storeReachable(),
                launch.processorsEnough(),
                launch.devicesEnough(),
                engines.memoryShared(),
                engines.memoryClean(),
                engines.socketsWork(),
                engines.filesEnough()));
        Backends.list().forEach(backend -> launch.library(backend).ifPresent(findings::add));
        return findings;
    }

    /// Lays recordings of ranks side by side and says where they went apart: a finding for each group.
    public static List<Finding> compare(List<FlightDump> recordings) {
        Map<String, List<FlightDump>> groups = new TreeMap<>();
        for (FlightDump recording : recordings) {
            groups.computeIfAbsent(recording.group(), _ -> new ArrayList<>()).add(recording);
        }
        List<Finding> findings = new ArrayList<>();
        groups.forEach((group, ranks) -> findings.add(compare("group " + group + ": ", ranks)));
        return findings;
    }

    private static Finding compare(String group, List<FlightDump> ranks) {
        String id = "mesh.calls.agree";
        long count = ranks.stream().map(FlightDump::rank).distinct().count();
        return FlightComparison.firstDivergence(ranks)
                .map(divergence ->
                        Finding.fail(id, group + divergence, "find the first rank that differs, and the reason"))
                .orElseGet(
                        () -> Finding.pass(id, group + count(count, "rank") + " made the same calls without failures"));
    }

    /// A number and the thing's name, with an `s` behind it where there is not exactly one.
    static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
