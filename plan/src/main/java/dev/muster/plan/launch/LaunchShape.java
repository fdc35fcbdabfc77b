package dev.muster.plan.launch;

import java.util.Collections;
import java.util.Optional;

/// How copies of a model lie on machines. Immutable.
///
/// @param hosts machines that there are
/// @param devicesPerHost devices that each has
/// @param copies copies of the model
/// @param copyDevices devices of one copy
record LaunchShape(int hosts, int devicesPerHost, int copies, int copyDevices) {
    /// The shape of a plan. A training run is one copy: its replicas talk to each other.
    static LaunchShape of(LaunchFacts facts) {
        int hosts = facts.number(LaunchFact.HOSTS);
        int devicesPerHost = facts.number(LaunchFact.DEVICES_PER_HOST);
        boolean serving = facts.find(LaunchFact.PURPOSE).orElse("").equals(LaunchKind.SERVING.label());
        if (!serving) {
            return new LaunchShape(hosts, devicesPerHost, 1, Math.multiplyExact(hosts, devicesPerHost));
        }
        int copyDevices = facts.number(LaunchFact.TENSOR)
                * facts.number(LaunchFact.STAGES)
                * facts.number(LaunchFact.ATTENTION_REPLICAS, 1);
        return new LaunchShape(hosts, devicesPerHost, facts.number(LaunchFact.COPIES), copyDevices);
    }

    /// Why copies do not lie on machines, if they do not.
    Optional<String> problem() {
        return copyDevices > devicesPerHost && copyDevices % devicesPerHost != 0
                ? Optional.of("a copy of this plan takes " + copyDevices + " devices, which is no whole number of hosts"
                        + " with " + devicesPerHost + " each; plan for the devices of one host, or of whole hosts")
                : Optional.empty();
    }

    /// One copy alone, on machines that have no more than it needs.
    LaunchShape single() {
        return new LaunchShape(hostsPerCopy(), copyDevices / hostsPerCopy(), 1, copyDevices);
    }

    boolean isSpanning() {
        return copyDevices > devicesPerHost;
    }

    int hostsPerCopy() {
        return isSpanning() ? copyDevices / devicesPerHost : 1;
    }

    int copiesPerHost() {
        return isSpanning() ? 1 : Math.min(copies, devicesPerHost / copyDevices);
    }

    /// Machines that start together: those of one copy where it needs several, else all that hold
    /// copies.
    int hostsTogether() {
        return isSpanning() ? hostsPerCopy() : Math.ceilDiv(copies, copiesPerHost());
    }

    /// Copies on the last machine; fewer than on the others where they do not divide.
    int copiesOnLastHost() {
        return isSpanning() ? 1 : copies - (hostsTogether() - 1) * copiesPerHost();
    }

    boolean isEven() {
        return copiesOnLastHost() == copiesPerHost();
    }

    int devicesUsedPerHost() {
        return isSpanning() ? devicesPerHost : copiesPerHost() * copyDevices;
    }

    int groups() {
        return isSpanning() ? copies : 1;
    }

    /// The facts of a plan with those of its shape.
    LaunchFacts describe(LaunchFacts facts) {
        return facts.toBuilder()
                .put(LaunchFact.COPY_DEVICES, copyDevices)
                .put(LaunchFact.HOSTS_PER_COPY, hostsPerCopy())
                .put(LaunchFact.COPIES_PER_HOST, copiesPerHost())
                .put(LaunchFact.HOSTS_TOGETHER, hostsTogether())
                .put(LaunchFact.DEVICES_USED_PER_HOST, devicesUsedPerHost())
                .put(LaunchFact.DEVICES_TOGETHER, (long) hostsTogether() * devicesUsedPerHost())
                .put(LaunchFact.GROUPS, groups())
                .put(LaunchFact.LAST_GROUP, groups() - 1)
                .put(LaunchFact.SHARES, String.join(",", Collections.nCopies(copyDevices, "1")))
                .build();
    }
}
