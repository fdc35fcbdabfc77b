// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The launch of a deployment whose prefill and decode are disaggregated: servers for either role, which hosts of their
/// own run or the devices of one host share, and a router before them.
///
/// @param engine engine of all servers
/// @param prefill replicas for prefill
/// @param decode replicas for decode
/// @param replicaDevices devices of a replica
/// @param perHost devices of a host
/// @param hosts hosts of the plan
record Disaggregation(LaunchTarget engine, int prefill, int decode, int replicaDevices, int perHost, int hosts) {
    static final String ROUTER = "router";
    private static final String PREFILL = "prefill";
    private static final String DECODE = "decode";
    static final int PREFILL_PORT = 8100;
    private static final int DECODE_PORT = 8200;

    static Disaggregation of(DeploymentPlan deployment) {
        ServingPlan plan = deployment.plan();
        int hosts = plan.pool().hosts();
        return new Disaggregation(
                LaunchTarget.find(plan.software().label()).orElseThrow(),
                deployment.simulation().replicas(),
                deployment.simulation().decodeReplicas(),
                plan.layout().devices(),
                Math.ceilDiv(plan.pool().count(), hosts),
                hosts);
    }

    /// Returns the files of all roles, or the reason why a target cannot run them.
    ///
    /// @param launch emits one role for a target, from facts that are completed for it
    LaunchAnswer emit(LaunchTarget target, BiFunction<LaunchTarget, UnaryOperator<LaunchFacts>, LaunchAnswer> launch) {
        if (!sharesHost() && hostsOf(prefill) + hostsOf(decode) > hosts) {
            return new LaunchAnswer.Refused(Shortfall.of(Cause.DISAGGREGATED, prefill, decode));
        }
        if (target == LaunchTarget.KSERVE) {
            return launch.apply(target, facts -> role(facts, DECODE));
        }
        List<Artifact> artifacts = new ArrayList<>();
        for (String role : List.of(PREFILL, DECODE, ROUTER)) {
            // A router takes no devices: it runs anywhere, as it is.
            LaunchTarget own =
                    role.equals(ROUTER) && target.kind() == LaunchTarget.LaunchKind.CLUSTER ? engine : target;
            LaunchAnswer answer = launch.apply(own, facts -> role(facts, role));
            if (!(answer instanceof LaunchAnswer.Emitted(List<Artifact> files))) {
                return answer;
            }
            for (Artifact artifact : files) {
                boolean isScript = artifact.name().equals(Launcher.SCRIPT_NAME);
                artifacts.add(artifact.named(isScript ? role + ".sh" : role + "-" + artifact.name()));
            }
        }
        return new LaunchAnswer.Emitted(artifacts);
    }

    private boolean sharesHost() {
        return hosts == 1;
    }

    private int replicasPerHost() {
        return Math.max(1, perHost / replicaDevices);
    }

    private int hostsOf(int replicas) {
        return replicaDevices > perHost
                ? replicas * (replicaDevices / perHost)
                : Math.ceilDiv(replicas, replicasPerHost());
    }

    private LaunchFacts role(LaunchFacts facts, String role) {
        LaunchFacts known = facts.with(LaunchFact.ROLE, role)
                .with(LaunchFact.PREFILL_REPLICAS, prefill)
                .with(LaunchFact.PREFILL_PORTS, ports(PREFILL_PORT, prefill))
                .with(LaunchFact.DECODE_PORTS, ports(DECODE_PORT, decode));
        LaunchFacts placed = sharesHost() ? known.with(LaunchFact.SAME_HOST, 1) : known;
        return switch (role) {
            case PREFILL -> servers(placed, prefill, PREFILL_PORT);
            case DECODE ->
                servers(placed, decode, DECODE_PORT)
                        .with(LaunchFact.FIRST_DEVICE, sharesHost() ? (long) prefill * replicaDevices : 0);
            default ->
                placed.with(LaunchFact.HOSTS, 1)
                        .with(LaunchFact.REPLICAS, 1)
                        .with(LaunchFact.TENSOR, 1)
                        .with(LaunchFact.STAGES, 1)
                        .with(LaunchFact.ATTENTION_REPLICAS, 1);
        };
    }

    private LaunchFacts servers(LaunchFacts facts, int replicas, int port) {
        return facts.with(LaunchFact.REPLICAS, replicas)
                .with(LaunchFact.HOSTS, sharesHost() ? 1 : hostsOf(replicas))
                .with(LaunchFact.FIRST_PORT, port);
    }

    private String ports(int first, int replicas) {
        int each = replicaDevices > perHost ? 1 : Math.min(replicas, replicasPerHost());
        return IntStream.range(0, each)
                .mapToObj(one -> String.valueOf(first + one))
                .collect(Collectors.joining(" "));
    }
}
