package dev.muster.cli.doctor;

import dev.muster.cli.doctor.Finding.Status;
import dev.muster.cli.render.Count;
import dev.muster.mesh.collective.FlightComparison;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.collective.FlightRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Lays recordings of ranks side by side, group by group, and says where they went apart.
public final class RecordingCheck {
    private static final String ID = "mesh.calls.agree";

    private RecordingCheck() {}

    /// A finding for each group that was recorded.
    public static List<Finding> examine(List<FlightDump> recordings) {
        Map<String, Map<Integer, List<FlightRecord>>> groups = new TreeMap<>();
        for (FlightDump recording : recordings) {
            groups.computeIfAbsent(recording.group(), name -> new TreeMap<>())
                    .put(recording.rank(), recording.records());
        }
        List<Finding> findings = new ArrayList<>();
        groups.forEach((group, ranks) -> findings.add(finding(group, ranks)));
        return findings;
    }

    private static Finding finding(String group, Map<Integer, List<FlightRecord>> ranks) {
        return FlightComparison.firstDivergence(ranks)
                .map(divergence -> new Finding(
                        ID,
                        Status.FAIL,
                        "group " + group + ": " + divergence,
                        "find the first rank that did something else, and why"))
                .orElseGet(() -> new Finding(
                        ID,
                        Status.PASS,
                        "group " + group + ": " + Count.of(ranks.size(), "rank") + " called the same and ended well",
                        ""));
    }
}
