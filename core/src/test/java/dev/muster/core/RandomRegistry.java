// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Makes registries at random, for tests of what holds for all of them. Equal random numbers make equal registries.
public final class RandomRegistry {
    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        "/",
        ":",
        ".",
        "\"",
        "\\",
        "\n",
        "\t",
        "\u0001",
        "\u001f",
        "\u007f",
        "ä",
        "—",
        "漢",
        "😀",
        "{",
        "]",
        ",",
        "NVIDIA H100 80GB HBM3",
        "null",
        "-1",
        "\\u0041"
    };
    private static final List<DeviceFact<?>> TAGGED_FACTS = List.of(
            DeviceFact.COMPUTE_CAPABILITY,
            DeviceFact.DRIVER_VERSION,
            DeviceFact.DEVICE_NAME,
            DeviceFact.MEMORY_BANDWIDTH,
            DeviceFact.MEMORY_USED,
            DeviceFact.MEMORY_FREE,
            DeviceFact.PCIE_BANDWIDTH,
            DeviceFact.NUMA_NODE,
            DeviceFact.TEMPERATURE,
            DeviceFact.POWER,
            DeviceFact.UTILIZATION);

    private final Random random;
    /// The only source of facts in the tagged form; null for the own form, in which any source will do.
    private final @Nullable Provenance onlySource;

    private RandomRegistry(Random random, @Nullable Provenance onlySource) {
        this.random = random;
        this.onlySource = onlySource;
    }

    /// A registry with everything that Muster's own form can say: any reading known or unknown for any reason.
    public static AcceleratorRegistry own(Random random) {
        return new RandomRegistry(random, null).registry();
    }

    /// A registry with only what ai-hwaccel's tagged form can say, every fact from the one source.
    public static AcceleratorRegistry tagged(Random random, Provenance source) {
        return new RandomRegistry(random, source).registry();
    }

    /// Any finite double; every magnitude is as likely as another.
    public static double finiteDouble(Random random) {
        while (true) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                return value;
            }
        }
    }

    /// A text of quotes, escapes, control characters and letters of several scripts; often empty.
    public static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private AcceleratorRegistry registry() {
        return new AcceleratorRegistry(
                random.nextBoolean() ? AcceleratorRegistry.REFERENCE_SCHEMA : count(),
                list(6, this::profile),
                list(4, this::gap),
                new SystemIo(
                        list(4, this::interconnect),
                        list(3, this::storage),
                        isTagged() ? List.of() : list(3, this::memoryDevice),
                        reading(this::environment)),
                isTagged() ? TopologyGraph.EMPTY : topology(),
                isTagged() ? Reading.notProbed() : reading(this::instant));
    }

    private AcceleratorProfile profile() {
        AcceleratorProfile.ProfileBuilder builder =
                AcceleratorProfile.builder(type()).available(random.nextBoolean());
        for (DeviceFact<?> fact : isTagged() ? TAGGED_FACTS : DeviceFact.all()) {
            put(builder, fact);
        }
        if (isTagged()) {
            builder.with(DeviceFact.MEMORY, known(bytes()));
        } else if (random.nextInt(4) == 0) {
            builder.partition(new Partition(new DeviceId(name()), name(), text()));
        }
        return builder.build();
    }

    private <T> void put(AcceleratorProfile.ProfileBuilder builder, DeviceFact<T> fact) {
        builder.with(fact, reading(() -> fact.javaType().cast(value(fact))));
    }

    private Object value(DeviceFact<?> fact) {
        Class<?> type = fact.javaType();
        if (type == Bytes.class) {
            return bytes();
        } else if (type == Bandwidth.class) {
            return bandwidth();
        } else if (type == String.class) {
            return text();
        } else if (type == Long.class) {
            return isTagged() ? count() : random.nextLong() >>> 1;
        } else if (type == Celsius.class) {
            return new Celsius(isTagged() ? count() : finiteDouble(random));
        } else if (type == Watts.class) {
            return new Watts(finiteDouble(random));
        } else if (type == Joules.class) {
            return new Joules(finiteDouble(random));
        } else if (type == Ratio.class) {
            return new Ratio(isTagged() ? count() / 100.0 : finiteDouble(random));
        } else if (type == PciAddress.class) {
            return pciAddress();
        } else if (type == Hertz.class) {
            return new Hertz(random.nextLong() >>> 1);
        } else if (type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == ProcessList.class) {
            return processes();
        }
        throw new AssertionError(type);
    }

    private ProcessList processes() {
        List<DeviceProcess> processes = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            processes.add(new DeviceProcess(
                    random.nextInt(1 << 20),
                    random.nextBoolean() ? text() : null,
                    random.nextBoolean() ? bytes() : null));
        }
        return new ProcessList(processes);
    }

    private AcceleratorType type() {
        List<AcceleratorType> samples = isTagged() ? TypeSamples.ofReference() : TypeSamples.all();
        AcceleratorType sample = samples.get(random.nextInt(samples.size()));
        return switch (sample) {
            case AcceleratorType.Plain plain ->
                isTagged() && !plain.kind().isNumbered() ? plain : AcceleratorType.of(plain.kind(), count());
            case AcceleratorType.Tpu tpu -> new AcceleratorType.Tpu(count(), count(), tpu.version());
            case AcceleratorType.Gaudi gaudi -> new AcceleratorType.Gaudi(count(), gaudi.generation());
            case AcceleratorType.Neuron neuron -> new AcceleratorType.Neuron(count(), neuron.chip(), count());
            case AcceleratorType.Other other -> new AcceleratorType.Other(other.vendor(), other.family(), count());
        };
    }

    private Gap gap() {
        return switch (random.nextInt(isTagged() ? 5 : 8)) {
            case 0 -> new Gap.ToolNotFound(text());
            case 1 -> new Gap.ToolFailed(text(), exitCode(), text());
            case 2 -> new Gap.Timeout(text(), finiteDouble(random));
            case 3 -> new Gap.Unparsable(text(), text());
            case 4 -> new Gap.FileUnreadable(text(), text());
            case 5 -> new Gap.ProbeFailed(text(), text());
            case 6 -> new Gap.Conflict(text(), text());
            default -> new Gap.Unexplained(text());
        };
    }

    private Reading<Integer> exitCode() {
        if (!isTagged()) {
            return reading(random::nextInt);
        }
        return random.nextBoolean()
                ? known(random.nextInt())
                : Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal");
    }

    private Interconnect interconnect() {
        List<Interconnect.InterconnectKind> kinds = Arrays.stream(Interconnect.InterconnectKind.values())
                .filter(kind -> !isTagged() || kind.isInReference())
                .toList();
        return new Interconnect(kinds.get(random.nextInt(kinds.size())), text(), rate(), reading(this::text));
    }

    private StorageDevice storage() {
        List<StorageDevice.StorageKind> kinds = Arrays.stream(StorageDevice.StorageKind.values())
                .filter(kind -> !isTagged() || kind.isInReference())
                .toList();
        StorageDevice.StorageKind kind = kinds.get(random.nextInt(kinds.size()));
        return isTagged()
                ? StorageDevice.of(text(), kind, rate())
                : new StorageDevice(
                        text(), kind, rate(), reading(this::text), reading(this::bytes), reading(this::text));
    }

    private MemoryDevice memoryDevice() {
        return new MemoryDevice(
                pick(MemoryDevice.MemoryKind.values()),
                text(),
                reading(this::bytes),
                reading(() -> random.nextLong() >>> 1),
                reading(this::text));
    }

    /// The tagged form has a number for every rate.
    private Reading<Bandwidth> rate() {
        return isTagged() ? known(bandwidth()) : reading(this::bandwidth);
    }

    private RuntimeEnvironment environment() {
        RuntimeEnvironment tagged = RuntimeEnvironment.of(
                random.nextBoolean(),
                random.nextBoolean(),
                reading(this::text),
                reading(() -> new CloudInstance(
                        text(), reading(this::text), reading(this::text), reading(this::text), reading(this::text))),
                reading(() -> new GpuGrant(list(3, this::text), count(), text())));
        if (isTagged()) {
            return tagged;
        }
        return new RuntimeEnvironment(
                tagged.docker(),
                tagged.kubernetes(),
                tagged.kubernetesNamespace(),
                tagged.cloudInstance(),
                tagged.kubernetesGpu(),
                reading(this::text),
                reading(this::bytes),
                reading(() -> finiteDouble(random)),
                reading(this::text),
                reading(this::text),
                variables());
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            variables.put(name(), text());
        }
        return variables;
    }

    private TopologyGraph topology() {
        List<TopologyNode> nodes = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            nodes.add(node(new NodeId("n" + i)));
        }
        List<Link> links = nodes.size() < 2 ? List.of() : list(8, () -> link(nodes));
        return TopologyGraph.of(nodes, links);
    }

    private TopologyNode node(NodeId id) {
        return switch (random.nextInt(6)) {
            case 0 -> new TopologyNode.HostNode(id, text());
            case 1 -> new TopologyNode.NumaNode(id, random.nextLong() >>> 1, reading(this::bytes));
            case 2 -> new TopologyNode.PcieBridge(id, reading(this::pciAddress), random.nextBoolean());
            case 3 -> new TopologyNode.FabricSwitch(id, text());
            case 4 -> new TopologyNode.DeviceNode(id, new DeviceId(name()));
            default -> new TopologyNode.Nic(id, text());
        };
    }

    private Link link(List<TopologyNode> nodes) {
        int from = random.nextInt(nodes.size());
        int to = (from + 1 + random.nextInt(nodes.size() - 1)) % nodes.size();
        return new Link(
                nodes.get(from).id(),
                nodes.get(to).id(),
                pick(LinkKind.values()),
                1 + (random.nextInt() >>> 1) / 2,
                reading(this::bandwidth),
                reading(() -> pick(Link.LinkState.values())));
    }

    private <T> Reading<T> reading(Supplier<T> value) {
        if (isTagged()) {
            return random.nextBoolean() ? known(value.get()) : Reading.notProbed();
        }
        return switch (random.nextInt(4)) {
            case 0 -> Reading.notProbed();
            case 1 -> Reading.unknown(pick(UnknownReason.values()), text());
            default -> known(value.get());
        };
    }

    private <T> Reading<T> known(T value) {
        return Reading.known(value, onlySource == null ? provenance() : onlySource);
    }

    private Provenance provenance() {
        Provenance provenance =
                Provenance.of(name(), pick(Provenance.Method.values()), pick(Provenance.Confidence.values()));
        return random.nextBoolean() ? provenance : provenance.withObservedAt(instant());
    }

    private Instant instant() {
        return switch (random.nextInt(8)) {
            case 0 -> Instant.EPOCH;
            case 1 -> Instant.ofEpochSecond(random.nextLong() >> 12, random.nextInt(1_000_000_000));
            case 2 -> Instant.ofEpochMilli(random.nextInt());
            default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        };
    }

    private Bytes bytes() {
        return switch (random.nextInt(4)) {
            case 0 -> Bytes.ZERO;
            case 1 -> Bytes.ofGib(random.nextInt(1 << 20));
            default -> new Bytes(random.nextLong() >>> random.nextInt(Long.SIZE));
        };
    }

    /// Rates as machines have them. What lies outside has tests of its own.
    private Bandwidth bandwidth() {
        return new Bandwidth(
                switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> random.nextInt(4_000_000) / 1000.0;
                    case 2 -> random.nextDouble() * 1e-9;
                    default -> random.nextDouble() * Math.pow(10, random.nextInt(20));
                });
    }

    private PciAddress pciAddress() {
        int domain = random.nextBoolean() ? 0 : random.nextInt() >>> random.nextInt(Integer.SIZE);
        return new PciAddress(domain, random.nextInt(256), random.nextInt(32), random.nextInt(8));
    }

    /// A number of 32 bits; small ones and the largest are frequent.
    private long count() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> AcceleratorType.MAX_COUNT;
            default -> random.nextInt() & AcceleratorType.MAX_COUNT;
        };
    }

    private String name() {
        return "n" + text();
    }

    private String text() {
        return text(random);
    }

    private boolean isTagged() {
        return onlySource != null;
    }

    private <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> List<T> list(int longest, Supplier<T> item) {
        List<T> items = new ArrayList<>();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            items.add(item.get());
        }
        return items;
    }
}
