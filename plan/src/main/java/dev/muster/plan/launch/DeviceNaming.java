package dev.muster.plan.launch;

import dev.muster.plan.catalogue.CsvRow;
import dev.muster.plan.catalogue.CsvTable;
import java.util.Optional;

/// What other programs call devices of a family: the variable that hides some of them from a process,
/// and the resource of Kubernetes.
final class DeviceNaming {
    private static final String TABLE = "families.csv";

    private DeviceNaming() {}

    static Optional<String> findVariable(LaunchFacts facts) {
        return find(facts, "variable");
    }

    static Optional<String> findResource(LaunchFacts facts) {
        return find(facts, "resource");
    }

    private static Optional<String> find(LaunchFacts facts, String column) {
        String family = facts.find(LaunchFact.FAMILY).orElse("");
        for (CsvRow row : CsvTable.parse(LaunchTemplate.resource(TABLE)).rows()) {
            if (row.require("family").equals(family)) {
                return row.find(column);
            }
        }
        return Optional.empty();
    }
}
