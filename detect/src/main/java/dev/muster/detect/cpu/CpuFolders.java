// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.CpuSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// Reads the kernel's folders of processors. A machine may have hundreds: the first and the last speak for the others,
/// and caches are walked one by one only where these two differ.
final class CpuFolders {
    private static final String FOLDER = "/sys/devices/system/cpu";
    /// Two caches of the first level, and one of each of the three that some processors have behind it.
    private static final int MAX_INDEX = 4;
    private static final int MAX_CACHES = 256;
    private static final long KILO = 1000;
    private static final long MAX_KILOHERTZ = 1_000_000_000;
    /// Processors of machines that mix kinds of cores: the largest so far have 24 (2026-11).
    private static final int MOST_MIXED = 64;
    private static final String CAPACITY = "cpu_capacity";

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final AttributeFolder root;
    private final CpuSet online;

    CpuFolders(ProbeContext context, Consumer<Gap> gaps) {
        this.context = context;
        this.gaps = gaps;
        this.root = context.folder(FOLDER, gaps);
        this.online = root.reading("online", CpuSet::parseList).find().orElse(CpuSet.NONE);
    }

    /// Returns the number of sockets, if all have as many processors as the first.
    Reading<Long> sockets() {
        return groups("package_cpus_list", "core_siblings_list");
    }

    /// Returns the number of cores, if all have as many threads as the first.
    Reading<Long> cores() {
        return groups("core_cpus_list", "thread_siblings_list");
    }

    private Reading<Long> groups(String name, String oldName) {
        AttributeFolder topology = cpu(online.findFirst().orElse(0)).folder("topology");
        Reading<CpuSet> named = topology.reading(name, CpuSet::parseList);
        Reading<CpuSet> group = named.isKnown() ? named : topology.reading(oldName, CpuSet::parseList);
        if (!(group instanceof Reading.Known<CpuSet>(CpuSet cpus, Provenance source))) {
            return Reading.notSupported(topology.path() + " does not report it");
        }
        int size = cpus.count();
        return size == 0 || online.isEmpty() || online.count() % size != 0
                ? Reading.notSupported("the processors are not all alike")
                : Reading.known((long) (online.count() / size), source);
    }

    /// The fastest clock of the first and the last processor; one of them is of the fast kind where there are two.
    Reading<Hertz> clockMax() {
        Reading<Hertz> first = clockMax(online.findFirst().orElse(0));
        Reading<Hertz> last = clockMax(online.findLast().orElse(0));
        Optional<Hertz> one = first.find();
        Optional<Hertz> other = last.find();
        return one.isPresent() && other.isPresent() && other.get().compareTo(one.get()) > 0 ? last : first;
    }

    private Reading<Hertz> clockMax(int cpu) {
        return cpu(cpu).reading("cpufreq/cpuinfo_max_freq", CpuFolders::parseKilohertz);
    }

    static Optional<Hertz> parseKilohertz(String text) {
        return Amount.count(text, MAX_KILOHERTZ).filter(clock -> clock > 0).map(clock -> new Hertz(clock * KILO));
    }

    /// Returns the kinds of cores. On a machine of more processors than any that mixes them, all are taken to be
    /// like the first and the last where these two are alike.
    Reading<String> coreKinds() {
        AttributeFolder first = cpu(online.findFirst().orElse(0));
        if (online.isEmpty() || !first.has(CAPACITY)) {
            return Reading.notSupported(first.path() + "/" + CAPACITY + " does not exist");
        }
        CoreKinds kinds = new CoreKinds();
        Optional<Integer> one = capacity(online.findFirst().orElse(0));
        if (online.count() > MOST_MIXED
                && one.isPresent()
                && one.equals(capacity(online.findLast().orElse(0)))) {
            kinds.add(one.get(), online.count());
            return Reading.known(kinds.text(), first.source(CAPACITY));
        }
        for (OptionalInt next = online.findFirst(); next.isPresent(); next = online.findFrom(next.getAsInt() + 1)) {
            Optional<Integer> capacity = capacity(next.getAsInt());
            if (capacity.isEmpty()) {
                return Reading.notSupported("not every processor reports its capacity");
            }
            kinds.add(capacity.get(), 1);
        }
        return Reading.known(kinds.text(), first.source(CAPACITY));
    }

    private Optional<Integer> capacity(int cpu) {
        return cpu(cpu).reading(CAPACITY, CoreKinds::parseCapacity).find();
    }

    /// The largest cache, all of its instances together.
    Reading<Bytes> lastCache() {
        String index = lastIndex();
        if (index.isEmpty() || online.isEmpty()) {
            return Reading.notSupported("the kernel describes no cache");
        }
        Cache first = cache(online.findFirst().orElse(0), index);
        Cache last = cache(online.findLast().orElse(0), index);
        int sharers = first.cpus().count();
        if (first.isAlike(last) && sharers > 0 && online.count() % sharers == 0) {
            return Reading.known(Bytes.of(first.size() * (online.count() / sharers)), source(index));
        }
        return walkCaches(index);
    }

    private Reading<Bytes> walkCaches(String index) {
        CpuSet left = online;
        long total = 0;
        for (int i = 0; i < MAX_CACHES && !left.isEmpty(); i++) {
            Cache cache = cache(left.findFirst().orElse(0), index);
            if (cache.size() == 0 || cache.cpus().isEmpty()) {
                return Reading.notSupported("the kernel does not describe every cache");
            }
            total += cache.size();
            left = left.without(cache.cpus());
        }
        return left.isEmpty()
                ? Reading.known(Bytes.of(total), source(index))
                : Reading.notSupported("more caches than are counted");
    }

    /// The folder of the first processor's last cache; blank where it has none. The kernel numbers caches from the
    /// processor outwards.
    private String lastIndex() {
        AttributeFolder cpu = cpu(online.findFirst().orElse(0));
        for (int i = MAX_INDEX; i >= 0; i--) {
            String index = "cache/index" + i;
            if (cpu.has(index)) {
                return index;
            }
        }
        return "";
    }

    private Cache cache(int cpu, String index) {
        AttributeFolder folder = cpu(cpu).folder(index);
        return new Cache(
                folder.reading("size", CpuFolders::parseSize).find().orElse(0L),
                folder.reading("shared_cpu_list", CpuSet::parseList).find().orElse(CpuSet.NONE));
    }

    /// Reads a size such as `32768K`.
    static Optional<Long> parseSize(String text) {
        return text.endsWith("K")
                ? Amount.bytes(text + "iB").filter(size -> !size.isZero()).map(Bytes::unsigned)
                : Optional.empty();
    }

    private Provenance source(String index) {
        return cpu(online.findFirst().orElse(0)).folder(index).source("size");
    }

    private AttributeFolder cpu(int number) {
        return context.folder(FOLDER + "/cpu" + number, gaps);
    }

    private record Cache(long size, CpuSet cpus) {
        boolean isAlike(Cache other) {
            return size > 0 && size == other.size && cpus.count() == other.cpus.count();
        }
    }
}
