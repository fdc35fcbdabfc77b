// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.text.Amount;
import java.util.Optional;

/// The host's processor and its memory.
///
/// @param inventory the content of the file
record HwlocProcessor(HwlocInventory inventory) {
    /// NUMA nodes of this kind are a GPU's memory, which programs on the processor can reach.
    private static final String GPU_MEMORY = "GPUMemory";

    AcceleratorProfile profile() {
        return AcceleratorProfile.builder(AcceleratorType.cpu())
                .with(DeviceFact.DEVICE_NAME, HwlocFacts.reading(findName(), "the processor's name"))
                .with(DeviceFact.MEMORY, HwlocFacts.reading(findMemory(), "the memory"))
                .with(DeviceFact.COMPUTE_UNITS, HwlocFacts.reading(count(inventory.cores), "the cores"))
                .with(DeviceFact.THREADS, HwlocFacts.reading(count(inventory.threads), "the threads"))
                .with(DeviceFact.SOCKETS, HwlocFacts.reading(count(inventory.packages.size()), "the sockets"))
                .with(DeviceFact.LAST_CACHE, HwlocFacts.reading(findLastCache(), "the last cache"))
                .build();
    }

    private Optional<String> findName() {
        return inventory.packages.stream()
                .flatMap(socket -> socket.findInfo("CPUModel").stream())
                .findFirst();
    }

    private static Optional<Long> count(int number) {
        return number > 0 ? Optional.of((long) number) : Optional.empty();
    }

    private Optional<Bytes> findMemory() {
        return inventory.numaNodes.stream()
                .filter(node -> !node.attribute("subtype").equals(GPU_MEMORY))
                .flatMap(node -> findMemory(node).stream())
                .reduce(Bytes::saturatingPlus);
    }

    /// The memory of a NUMA node.
    static Optional<Bytes> findMemory(HwlocObject node) {
        return Amount.count(node.attribute("local_memory"), Long.MAX_VALUE)
                .filter(bytes -> bytes > 0)
                .map(Bytes::of);
    }

    /// The caches furthest from the cores, all together.
    private Optional<Bytes> findLastCache() {
        Optional<String> last = inventory.caches.stream().map(HwlocObject::type).max(String::compareTo);
        return inventory.caches.stream()
                .filter(cache -> last.filter(cache.type()::equals).isPresent())
                .flatMap(cache -> cache.findCount("cache_size").stream())
                .filter(size -> size > 0)
                .map(Bytes::of)
                .reduce(Bytes::saturatingPlus);
    }
}
