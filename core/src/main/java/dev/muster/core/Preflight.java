// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// The requirements on a host: a number of devices, memory of each, and links between them.
/// Immutable; conditions that are not set are not asked.
///
/// @param requirement the type of each device
/// @param count the number of such devices there must be
/// @param memory memory that each of them must have; zero asks nothing
/// @param freeMemory memory that each of them must have free; zero asks nothing
/// @param totalMemory memory they must have together; zero asks nothing
/// @param links fabrics, of which one must join them; empty asks nothing
/// @since 0.1
public record Preflight(
        AcceleratorRequirement requirement,
        int count,
        Bytes memory,
        Bytes freeMemory,
        Bytes totalMemory,
        Set<LinkKind> links) {
    /// Copies the set and checks the count.
    public Preflight {
        links = Set.copyOf(links);
        if (count < 0) {
            throw new IllegalArgumentException("a count is not negative: " + count);
        }
    }

    /// Looks at the devices of a registry; one finding for each condition asked.
    public List<Finding> examine(AcceleratorRegistry registry) {
        return examine(registry, DeviceChoice.defaults(registry));
    }

    /// Looks at the devices that were chosen.
    public List<Finding> examine(AcceleratorRegistry registry, DeviceChoice choice) {
        List<Finding> findings = new ArrayList<>();
        List<AcceleratorProfile> suitable =
                choice.devices().stream().filter(requirement::isSatisfiedBy).toList();
        Finding enough = finding("count", suitable.size(), "devices that satisfy '" + requirement.display() + "'");
        findings.add(finding(enough.id(), enough.isPassed(), enough.message() + leftOut(choice)));
        if (!memory.isZero()) {
            List<AcceleratorProfile> large = withAtLeast(suitable, registry::usableMemory, memory);
            findings.add(finding("memory", large.size(), "of them with at least " + gib(memory) + unknown(suitable)));
            suitable = large;
        }
        if (!freeMemory.isZero()) {
            List<AcceleratorProfile> roomy = withAtLeast(suitable, registry::usableMemoryFree, freeMemory);
            findings.add(finding("free-memory", roomy.size(), "of them with at least " + gib(freeMemory) + " free"));
            suitable = roomy;
        }
        if (!totalMemory.isZero()) {
            Bytes total = total(registry, suitable);
            findings.add(finding(
                    "total-memory",
                    total.compareTo(totalMemory) >= 0,
                    gib(total) + " together, " + gib(totalMemory) + " required"));
        }
        if (!links.isEmpty()) {
            findings.add(joined(registry, suitable));
        }
        return findings;
    }

    private static Bytes total(AcceleratorRegistry registry, List<AcceleratorProfile> devices) {
        return devices.stream()
                .flatMap(device -> registry.usableMemory(device).find().stream())
                .reduce(Bytes.ZERO, Bytes::saturatingPlus);
    }

    private Finding finding(String id, int found, String what) {
        return finding(id, found >= count, found + " " + what + ", " + count + " required");
    }

    private static Finding finding(String id, boolean isPassed, String message) {
        return isPassed ? Finding.pass(id, message) : Finding.fail(id, message, "");
    }

    private static String leftOut(DeviceChoice choice) {
        StringBuilder text = new StringBuilder();
        choice.warnings().forEach(one -> text.append("; ").append(one.sentence()));
        return text.toString();
    }

    private static List<AcceleratorProfile> withAtLeast(
            List<AcceleratorProfile> devices, Function<AcceleratorProfile, Reading<Bytes>> memory, Bytes least) {
        return devices.stream()
                .filter(device -> memory.apply(device).matches(bytes -> bytes.compareTo(least) >= 0))
                .toList();
    }

    private static String unknown(List<AcceleratorProfile> devices) {
        long silent = devices.stream()
                .filter(device -> !device.usableMemory().isKnown())
                .count();
        return silent == 0 ? "" : " (" + silent + " of unknown memory)";
    }

    /// The largest group of suitable devices that the asked fabrics join.
    private Finding joined(AcceleratorRegistry registry, List<AcceleratorProfile> suitable) {
        List<DeviceId> ids = suitable.stream().map(AcceleratorProfile::id).toList();
        List<Link> asked = registry.topology().links().stream()
                .filter(link -> links.contains(link.kind()))
                .toList();
        int largest = TopologyGraph.of(registry.topology().nodes(), asked).domains().stream()
                .mapToInt(domain -> (int) domain.stream().filter(ids::contains).count())
                .max()
                .orElse(0);
        String kinds =
                String.join(" or ", links.stream().map(LinkKind::text).sorted().toList());
        String seen = registry.topology().nodes().stream().anyMatch(TopologyNode.DeviceNode.class::isInstance)
                ? ""
                : " (the registry holds no topology)";
        return finding(
                "link",
                largest >= count && largest > 0,
                largest + " joined by " + kinds + seen + ", " + count + " required");
    }

    private static String gib(Bytes bytes) {
        return FixedText.of(bytes.toGib(), 1) + " GiB";
    }
}
