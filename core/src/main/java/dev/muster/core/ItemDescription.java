// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bandwidth;
import java.util.function.Function;

/// One line for each thing around the devices, for people who compare two registries. Two things with the same line
/// count as the same.
final class ItemDescription {
    private ItemDescription() {}

    static String of(Interconnect item) {
        return item.name() + " (" + item.kind().display() + rate(item.bandwidth()) + also(item.state(), text -> text)
                + ")";
    }

    /// The progress of a recovery changes by itself, so that the first word of the state is enough.
    static String of(StorageDevice item) {
        return item.name() + " (" + item.kind().display() + rate(item.bandwidth())
                + also(item.state(), text -> text.split(" ", 2)[0]) + ")";
    }

    static String of(MemoryDevice item) {
        return item.name() + " (" + item.kind().display()
                + also(item.size(), bytes -> FixedText.of(bytes.toGib(), 1) + " GiB")
                + also(item.numaNode(), number -> "NUMA node " + number)
                + also(item.kernelDriver(), name -> name) + ")";
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

    static String of(Link item) {
        return item.from() + " – " + item.to() + " (" + item.kind().text() + " x" + item.lanes()
                + rate(item.bandwidth()) + also(item.state(), Link.LinkState::text) + ")";
    }

    private static String rate(Reading<Bandwidth> bandwidth) {
        return also(bandwidth, value -> FixedText.of(value.gigabytesPerSecond(), 1) + " GB/s");
    }

    private static <T> String also(Reading<T> reading, Function<T, String> text) {
        return reading.find().map(value -> ", " + text.apply(value)).orElse("");
    }
}
