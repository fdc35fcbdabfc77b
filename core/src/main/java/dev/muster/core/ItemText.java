package dev.muster.core;

import dev.muster.core.unit.Bandwidth;

/// One line for each thing around the devices, for people who compare two registries. Two things with the same line
/// count as the same.
final class ItemText {
    private ItemText() {}

    static String of(Interconnect item) {
        String state = item.state().find().map(text -> ", " + text).orElse("");
        return item.name() + " (" + item.kind().display() + rate(item.bandwidth()) + state + ")";
    }

    static String of(StorageDevice item) {
        String state = item.state().find().map(text -> ", " + firstWord(text)).orElse("");
        return item.name() + " (" + item.kind().display() + rate(item.bandwidth()) + state + ")";
    }

    /// How far a recovery is passes by itself.
    private static String firstWord(String text) {
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    static String of(MemoryDevice item) {
        String size = item.size()
                .find()
                .map(bytes -> ", " + FixedText.of(bytes.toGib(), 1) + " GiB")
                .orElse("");
        String node =
                item.numaNode().find().map(number -> ", NUMA node " + number).orElse("");
        String driver = item.kernelDriver().find().map(name -> ", " + name).orElse("");
        return item.name() + " (" + item.kind().display() + size + node + driver + ")";
    }

    static String of(RuntimeEnvironment item) {
        String cloud = item.cloudInstance()
                .find()
                .map(instance -> instance.provider()
                        + instance.instanceType().find().map(type -> " " + type).orElse(""))
                .orElse("no cloud known");
        String container = item.docker() ? "container" : "no container";
        String pod = item.kubernetes() ? ", Kubernetes" : "";
        return container + pod + ", " + cloud;
    }

    static String of(TopologyNode item) {
        return item.id().text();
    }

    static String of(Link item) {
        String state = item.state()
                .find()
                .map(Link.State::text)
                .map(text -> ", " + text)
                .orElse("");
        return item.from() + " – " + item.to() + " (" + item.kind().text() + " x" + item.lanes()
                + rate(item.bandwidth()) + state + ")";
    }

    private static String rate(Reading<Bandwidth> bandwidth) {
        return bandwidth
                .find()
                .map(value -> ", " + FixedText.of(value.gigabytesPerSecond(), 1) + " GB/s")
                .orElse("");
    }
}
