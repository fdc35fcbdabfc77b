// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Says where the process runs and what it is limited to.
public final class EnvironmentProbe {
    private static final String KUBERNETES = "/var/run/secrets/kubernetes.io";
    private static final String KUBERNETES_VARIABLE = "KUBERNETES_SERVICE_HOST";
    private static final String[] SLURM_GPUS = {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"};

    /// Makes it.
    public EnvironmentProbe() {}

    /// Asks the host.
    public Reading<RuntimeEnvironment> probe(ProbeContext context) {
        Reading<String> container = new ContainerProbe(context).probe();
        CgroupProbe limits = new CgroupProbe(context);
        boolean kubernetes =
                context.files().exists(KUBERNETES) || context.host().variables().containsKey(KUBERNETES_VARIABLE);
        RuntimeEnvironment environment = new RuntimeEnvironment(
                isDocker(container.find().orElse("")),
                kubernetes,
                kubernetes ? namespace(context) : Reading.notProbed(),
                new CloudProbe(context).probe(),
                grant(context),
                container,
                limits.memoryLimit(),
                limits.cpuLimit(),
                variable(context, "SLURM_JOB_ID"),
                variable(context, SLURM_GPUS),
                deviceVariables(context.host().variables()));
        return Reading.known(
                environment,
                Provenance.of("environment", Provenance.Method.FILE, Provenance.Confidence.MEASURED)
                        .withObservedAt(context.now()));
    }

    /// Returns the memory that the control groups of the process still leave it; unknown without a limit.
    public static Reading<Bytes> memoryLeft(ProbeContext context) {
        return new CgroupProbe(context).memoryLeft();
    }

    private static boolean isDocker(String container) {
        return container.equals("docker") || container.equals("containerd");
    }

    private static Reading<String> namespace(ProbeContext context) {
        return context.folder(KUBERNETES + "/serviceaccount", gap -> {}).text("namespace");
    }

    private static Reading<GpuGrant> grant(ProbeContext context) {
        Optional<GpuGrant> grant = GpuGrantRule.findGrant(context.host().variables());
        return grant.isPresent()
                ? Reading.known(grant.get(), context.fromVariable(grant.get().source()))
                : Reading.notSupported("no variable grants devices");
    }

    private static Reading<String> variable(ProbeContext context, String... names) {
        for (String name : names) {
            String value = context.host().variables().getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Reading.known(value, context.fromVariable(name));
            }
        }
        return Reading.notProbed();
    }

    private static Map<String, String> deviceVariables(Map<String, String> variables) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : GpuGrantRule.DEVICE_VARIABLES) {
            String value = variables.get(name);
            if (value != null) {
                found.put(name, value);
            }
        }
        return found;
    }
}
