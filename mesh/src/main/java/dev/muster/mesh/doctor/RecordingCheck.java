package dev.muster.mesh.doctor;

import dev.muster.core.Finding;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightDump.FlightRecord;
import dev.muster.mesh.recording.FlightComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Lays recordings of ranks side by side.
final class RecordingCheck {
    private static final String ID = "mesh.calls.agree";

    private RecordingCheck() {}

    static List<Finding> compare(List<FlightDump> recordings) {
        Map<String, Map<Integer, List<FlightRecord>>> groups = new TreeMap<>();
        for (FlightDump recording : recordings) {
            groups.computeIfAbsent(recording.group(), _ -> new TreeMap<>()).put(recording.rank(), recording.records());
        }
        List<Finding> findings = new ArrayList<>();
        groups.forEach((group, ranks) -> findings.add(finding("group " + group + ": ", ranks)));
        return findings;
    }

    private static Finding finding(String group, Map<Integer, List<FlightRecord>> ranks) {
        return FlightComparison.firstDivergence(ranks)
                .map(divergence ->
                        Finding.fail(ID, group + divergence, "find the first rank that did something else, and why"))
                .orElseGet(() -> Finding.pass(
                        ID, group + MeshDoctor.count(ranks.size(), "rank") + " called the same and ended well"));
    }
}
