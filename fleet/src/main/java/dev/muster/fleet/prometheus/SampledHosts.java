// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.prometheus;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.fleet.Claim;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.HostState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// Puts hosts together from samples, in any order. Confined to one thread.
final class SampledHosts {
    /// As Prometheus itself holds a value for the present one.
    static final Duration STALE = Duration.ofMinutes(5);

    private static final int MAX_DEVICES = 200_000;
    private static final String[] UUID = {"UUID", "uuid", "gpu_uuid", "GPU_UUID"};
    private static final String[] NODE = {
        "node", "kubernetes_node", "nodename", "node_name", "exported_node", "hostname", "host", "HOSTNAME"
    };

    private final String source;
    private final Provenance provenance;
    private final String ownHost;
    private final Instant now;
    private final Map<String, SampledDevice> devices = new HashMap<>();
    private final Set<String> stale = new HashSet<>();
    private long staleSeries;
    private String staleExample = "";
    private boolean isFull;

    /// @param ownHost the host of samples that name none
    SampledHosts(String source, Provenance provenance, String ownHost, Instant now) {
        this.source = source;
        this.provenance = provenance;
        this.ownHost = ownHost;
        this.now = now;
    }

    /// Takes in when a device was last seen, as `timestamp()` of one of its series says; before all samples.
    void addTime(Sample sample) {
        if (isStale((long) (sample.value() * 1000))) {
            id(sample).ifPresent(id -> {
                stale.add(id);
                staleExample = staleExample.isEmpty() ? "a device of " + host(sample) : staleExample;
            });
        }
    }

    /// Takes in a sample; those that tell of no device are left out.
    void add(Sample sample) {
        Optional<Metric<?>> metric = Metric.find(sample.name());
        Optional<String> id = id(sample);
        if (metric.isEmpty() || id.isEmpty()) {
            return;
        }
        if (stale.contains(id.get())
                || (sample.millis().isPresent() && isStale(sample.millis().getAsLong()))) {
            staleSeries++;
            staleExample = staleExample.isEmpty() ? sample.name() + " of " + host(sample) : staleExample;
            return;
        }
        SampledDevice device = devices.get(id.get());
        if (device == null) {
            if (devices.size() >= MAX_DEVICES) {
                isFull = true;
                return;
            }
            device = new SampledDevice(kind(sample, metric.get()), provenance);
            devices.put(id.get(), device);
        }
        device.add(sample, metric.get(), uuid(sample), hostLabel(sample));
    }

    private boolean isStale(long millis) {
        return now.toEpochMilli() - millis > STALE.toMillis();
    }

    /// The hosts, by name.
    List<HostReport> hosts() {
        Map<String, List<SampledDevice>> byHost = new TreeMap<>();
        devices.values()
                .forEach(device -> byHost.computeIfAbsent(device.host().orElse(ownHost), _ -> new ArrayList<>())
                        .add(device));
        List<HostReport> hosts = new ArrayList<>();
        byHost.forEach((name, own) -> hosts.add(host(name, own)));
        return hosts;
    }

    private static HostReport host(String name, List<SampledDevice> own) {
        own.sort(Comparator.comparingLong(
                        (SampledDevice device) -> device.index().orElse(Long.MAX_VALUE))
                .thenComparing(SampledDevice::uuid));
        SampledDevice.Listing listing = new SampledDevice.Listing();
        own.forEach(device -> device.list(listing));
        List<Claim> claims = new ArrayList<>();
        listing.pods().forEach((pod, ids) -> claims.add(new Claim("pod " + pod, "", ids.size(), ids)));
        return new HostReport(
                name,
                AcceleratorRegistry.of(listing.profiles()),
                HostState.UNKNOWN,
                claims,
                List.of(),
                List.of(),
                Map.of());
    }

    /// The gaps of the page or answer.
    List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>();
        if (staleSeries > 0) {
            gaps.add(new Gap.ProbeFailed(
                    source,
                    staleSeries + " series are older than " + STALE.toMinutes() + " minutes and left out, such as "
                            + staleExample));
        }
        if (isFull) {
            gaps.add(new Gap.ProbeFailed(
                    source, "there are more than " + MAX_DEVICES + " devices; the rest is left out"));
        }
        return gaps;
    }

    /// The mark of a sample's device, if it is of one.
    private Optional<String> id(Sample sample) {
        String uuid = uuid(sample);
        if (!uuid.isEmpty()) {
            // Some blank it out; then it tells devices of a host apart at best.
            return Optional.of(SampledDevice.isBlanked(uuid) ? uuid + "@" + host(sample) : uuid);
        }
        OptionalLong index = SampledDevice.index(sample);
        return index.isPresent()
                ? Optional.of(host(sample) + "#" + sample.label("device").replaceAll("\\d+$", "") + index.getAsLong())
                : Optional.empty();
    }

    /// The id in the form of NVIDIA's own tools: some exporters leave its beginning out.
    private static String uuid(Sample sample) {
        String uuid = sample.label(UUID);
        boolean isBare =
                uuid.length() == 36 && uuid.charAt(8) == '-' && sample.name().startsWith("nvidia_smi_");
        return isBare ? "GPU-" + uuid : uuid;
    }

    private String host(Sample sample) {
        return hostLabel(sample).orElse(ownHost);
    }

    /// The host by a sample's labels. DCGM's exporter writes what it takes for its host, which in a container
    /// is the name of its pod; then the labels that Prometheus has added are better.
    private static Optional<String> hostLabel(Sample sample) {
        String named = sample.label("Hostname");
        boolean isPod = named.contains("dcgm-exporter");
        String node = sample.label(NODE);
        String instance = withoutPort(sample.label("exported_instance", "instance"));
        for (String each : new String[] {isPod ? "" : named, node, instance, named}) {
            if (!each.isBlank()) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static String withoutPort(String instance) {
        int colon = instance.lastIndexOf(':');
        boolean isPort = colon > 0
                && colon < instance.length() - 1
                && instance.chars().skip(colon + 1).allMatch(c -> c >= '0' && c <= '9')
                && (instance.indexOf(':') == colon || instance.charAt(colon - 1) == ']');
        return isPort ? instance.substring(0, colon) : instance;
    }

    /// The kind by the metric; of our own ones, by the device's id (`cuda:0`) or the vendor.
    private static Optional<AcceleratorKind> kind(Sample sample, Metric<?> metric) {
        if (metric.kind().isPresent()) {
            return metric.kind();
        }
        String device = sample.label("device");
        int colon = device.indexOf(':');
        Optional<AcceleratorKind> named = AcceleratorKind.find(colon < 0 ? device : device.substring(0, colon));
        if (named.isPresent()) {
            return named;
        }
        return switch (sample.label("vendor").toLowerCase(java.util.Locale.ROOT)) {
            case "nvidia" -> Optional.of(AcceleratorKind.CUDA_GPU);
            case "amd" -> Optional.of(AcceleratorKind.ROCM_GPU);
            case "intel" -> Optional.of(AcceleratorKind.INTEL_ONE_API);
            default -> Optional.empty();
        };
    }
}
