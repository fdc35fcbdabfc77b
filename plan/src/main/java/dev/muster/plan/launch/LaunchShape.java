// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import java.util.Collections;
import java.util.Optional;

/// The layout of replicas of a model on hosts. Immutable.
///
/// @param hosts number of hosts
/// @param devicesPerHost devices of each host
/// @param replicas replicas of the model
/// @param replicaDevices devices of one replica
record LaunchShape(int hosts, int devicesPerHost, int replicas, int replicaDevices) {
    /// Returns the shape of a plan. A training run is one replica: its replicas talk to each other.
    static LaunchShape of(LaunchFacts facts) {
        int hosts = facts.number(LaunchFact.HOSTS);
        int devicesPerHost = facts.number(LaunchFact.DEVICES_PER_HOST);
        if (!facts.findPurpose().equals(Optional.of(LaunchTarget.LaunchKind.SERVING))) {
            return new LaunchShape(hosts, devicesPerHost, 1, Math.multiplyExact(hosts, devicesPerHost));
        }
        int replicaDevices = facts.number(LaunchFact.TENSOR)
                * facts.number(LaunchFact.STAGES)
                * facts.number(LaunchFact.ATTENTION_REPLICAS, 1);
        return new LaunchShape(hosts, devicesPerHost, facts.number(LaunchFact.REPLICAS), replicaDevices);
    }

    /// Returns the reason why replicas do not fit the hosts, if they do not.
    Optional<Shortfall> problem() {
        return replicaDevices > devicesPerHost && replicaDevices % devicesPerHost != 0
                ? Optional.of(Shortfall.of(Cause.PART_OF_HOST, replicaDevices, devicesPerHost))
                : Optional.empty();
    }

    /// Returns one replica alone, on as few hosts as it needs.
    LaunchShape single() {
        return new LaunchShape(hostsPerReplica(), replicaDevices / hostsPerReplica(), 1, replicaDevices);
    }

    boolean isSpanning() {
        return replicaDevices > devicesPerHost;
    }

    int hostsPerReplica() {
        return isSpanning() ? replicaDevices / devicesPerHost : 1;
    }

    int replicasPerHost() {
        return isSpanning() ? 1 : Math.min(replicas, devicesPerHost / replicaDevices);
    }

    /// Returns the hosts that start together: those of one replica if it needs several, else all that hold replicas.
    int hostsTogether() {
        return isSpanning() ? hostsPerReplica() : Math.ceilDiv(replicas, replicasPerHost());
    }

    /// Returns the replicas on the last host; fewer than on the others if they do not divide.
    int replicasOnLastHost() {
        return isSpanning() ? 1 : replicas - (hostsTogether() - 1) * replicasPerHost();
    }

    boolean isEven() {
        return replicasOnLastHost() == replicasPerHost();
    }

    int devicesUsedPerHost() {
        return isSpanning() ? devicesPerHost : replicasPerHost() * replicaDevices;
    }

    int groups() {
        return isSpanning() ? replicas : 1;
    }

    LaunchFacts describe(LaunchFacts facts) {
        int groups = facts.number(LaunchFact.ATTENTION_REPLICAS, 1);
        LaunchFacts divided = groups % hostsPerReplica() == 0
                ? facts.with(LaunchFact.ATTENTION_PER_HOST, groups / hostsPerReplica())
                : facts;
        return divided.with(LaunchFact.REPLICA_DEVICES, replicaDevices)
                .with(LaunchFact.HOSTS_PER_REPLICA, hostsPerReplica())
                .with(LaunchFact.REPLICAS_PER_HOST, replicasPerHost())
                .with(LaunchFact.HOSTS_TOGETHER, hostsTogether())
                .with(LaunchFact.DEVICES_USED_PER_HOST, devicesUsedPerHost())
                .with(LaunchFact.DEVICES_TOGETHER, (long) hostsTogether() * devicesUsedPerHost())
                .with(LaunchFact.GROUPS, groups())
                .with(LaunchFact.LAST_GROUP, groups() - 1)
                .with(LaunchFact.SHARES, Collections.nCopies(replicaDevices, "1"));
    }
}
