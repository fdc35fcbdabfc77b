// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.sentence;

import dev.muster.core.text.FixedText;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import java.util.List;

/// The assumptions about the place of offloaded states as sentences.
///
/// @param text the names of parameters
record StoreText(NamedText text) {
    private static final double GIGA = 1e9;

    List<String> assumptions(TrainingCluster cluster) {
        return cluster.store().assumptions().stream()
                .map(one -> sentence(one, cluster))
                .toList();
    }

    private String sentence(OffloadStore.Assumption assumption, TrainingCluster cluster) {
        OffloadStore store = cluster.store();
        return switch (assumption) {
            case ROOM ->
                store.place() == OffloadStore.Place.DISK
                        ? "the drives have room for it"
                        : "the host has room for it (its memory is not known)";
            case LINK ->
                "each device reaches its host with " + gigabytes(store.link())
                        + (cluster.pool().device().isSwitched()
                                ? " (16 lanes of PCI Express 3.0)"
                                : " (its data sheet)");
            case MEMORY_RATE ->
                "the memory of a host moves " + gigabytes(store.memoryRate())
                        + text.named(" (a guess; say it with <hostBandwidthGbps>, or measure it with 'muster calibrate"
                                + " --cpu')");
            case DRIVE_RATE ->
                "the drives of a host move " + gigabytes(store.driveRate())
                        + text.named(" (a guess; say it with <diskBandwidthGbps>)");
        };
    }

    private static String gigabytes(double bytesPerSecond) {
        return FixedText.of(bytesPerSecond / GIGA, 0) + " GB/s";
    }
}
