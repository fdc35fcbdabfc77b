// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The comment at the top of a script: what it starts, and what to do before it runs.
final class LaunchComment {
    private LaunchComment() {}

    /// Returns the title: what is started, and with whose options.
    static List<String> title(LaunchTemplate engine, LaunchFacts facts) {
        int hosts = facts.number(LaunchFact.HOSTS_TOGETHER);
        String role = facts.find(LaunchFact.ROLE).orElse("");
        boolean countsReplicas = facts.findWrapper()
                .filter(Set.of(LaunchTarget.KUBERNETES, LaunchTarget.KSERVE)::contains)
                .isPresent();
        int replicas = countsReplicas ? facts.number(LaunchFact.GROUPS) : 1;
        String model = facts.find(LaunchFact.MODEL).orElse("A model") + " with "
                + engine.target().display();
        String written = "# Written by Muster from a plan; nothing was started. The options are those of "
                + engine.target().display() + " "
                + facts.find(LaunchFact.RELEASE).orElse(engine.version()) + ".";
        if (role.equals(Disaggregation.ROUTER)) {
            return List.of(
                    "# The router of " + model + ", before the servers of prefill.sh and decode.sh.",
                    written,
                    LaunchHeader.of(engine, facts));
        }
        boolean isPart = List.of("prefill", "decode").contains(role) && !countsReplicas;
        return List.of(
                "# " + (isPart ? "The servers for " + role + " of " : "") + model + ", on "
                        + (hosts == 1 ? "" : hosts + " hosts with ")
                        + devices(facts) + (hosts == 1 ? "" : " each")
                        + (replicas == 1 ? "" : " for each of " + replicas + " replicas") + ".",
                written,
                LaunchHeader.of(engine, facts));
    }

    /// Returns the devices: a count of one kind, the names of several kinds.
    private static String devices(LaunchFacts facts) {
        String names = facts.find(LaunchFact.DEVICE).orElse("device");
        return facts.find(LaunchFact.UNEQUAL_SHARES).isPresent()
                ? names
                : facts.number(LaunchFact.DEVICES_USED_PER_HOST) + " x " + names;
    }

    /// Returns how often and on which hosts a script has to be started.
    static List<String> where(LaunchTemplate engine, LaunchFacts facts) {
        List<String> lines = new ArrayList<>();
        int groups = facts.number(LaunchFact.GROUPS);
        if (groups > 1) {
            lines.add("# This is one replica; start it " + groups + " times, each on hosts of its own.");
        }
        int hosts = facts.number(LaunchFact.HOSTS_TOGETHER);
        if (hosts > 1) {
            lines.add(
                    isOnce(engine, facts)
                            ? "# Run it on one of the hosts; it reaches the others itself."
                            : "# Run it on each of the " + hosts + " hosts.");
        }
        return lines;
    }

    private static boolean isOnce(LaunchTemplate engine, LaunchFacts facts) {
        return engine.commands(facts).stream()
                .allMatch(command -> command.where().equals("once"));
    }

    /// Returns lines that end the script with a sentence if a required variable is not set.
    static List<String> requirements(LaunchTemplate engine, LaunchFacts facts, List<String> body) {
        List<String> lines = new ArrayList<>();
        for (TemplateRow row : engine.rows(TemplateRow.Part.REQUIRE, facts)) {
            String variable = row.name().text();
            if (uses(body, variable)) {
                lines.add(": \"${" + variable + ":?" + row.reason(facts).orElse("set it") + "}\"");
            }
        }
        if (uses(body, "HEAD_ADDRESS")) {
            lines.add(": \"${HEAD_ADDRESS:?set it to the name or address of the first host}\"");
        }
        if (uses(body, "NODE_RANK")) {
            lines.add(": \"${NODE_RANK:?set it to the number of this host, 0 to "
                    + (facts.number(LaunchFact.HOSTS_TOGETHER) - 1) + "}\"");
        }
        return lines;
    }

    private static boolean uses(List<String> body, String variable) {
        return body.stream().anyMatch(line -> line.contains("\"$" + variable + "\""));
    }
}
