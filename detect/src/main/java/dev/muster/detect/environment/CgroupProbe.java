// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.Optional;
import java.util.function.Function;

/// Says what the control groups of the process limit it to. A group is bound by the limits of all groups above it, so
/// the least of them counts.
final class CgroupProbe {
    private static final String OWN_GROUPS = "/proc/self/cgroup";
    private static final String ROOT = "/sys/fs/cgroup";
    private static final int MAX_GROUPS = 64 << 10;
    private static final int MAX_VALUE = 256;
    private static final int MAX_STATISTICS = 16 << 10;
    private static final int MAX_DEPTH = 32;

    private final ProbeContext context;
    private final String groups;

    CgroupProbe(ProbeContext context) {
        this.context = context;
        this.groups = context.files().findText(OWN_GROUPS, MAX_GROUPS).orElse("");
    }

    Reading<Bytes> memoryLimit() {
        Optional<String> old = CgroupText.findPath(groups, "memory");
        return old.isPresent()
                ? least(ROOT + "/memory", old.get(), "memory.limit_in_bytes", this::memoryIn)
                : least(ROOT, unified(), "memory.max", this::memoryIn);
    }

    Reading<Double> cpuLimit() {
        Optional<String> old = CgroupText.findPath(groups, "cpu");
        return old.isPresent()
                ? least(ROOT + "/cpu", old.get(), "cpu.cfs_quota_us", this::oldCpusIn)
                : least(
                        ROOT,
                        unified(),
                        "cpu.max",
                        file -> context.files().findText(file, MAX_VALUE).flatMap(CgroupText::parseCpuLimit));
    }

    /// Memory of files that programs read can be taken back, so it counts as left.
    Reading<Bytes> memoryLeft() {
        Optional<String> old = CgroupText.findPath(groups, "memory");
        return old.isPresent()
                ? least(
                        ROOT + "/memory",
                        old.get(),
                        "memory.limit_in_bytes",
                        file -> left(file, "usage_in_bytes", "total_inactive_file"))
                : least(ROOT, unified(), "memory.max", file -> left(file, "current", "inactive_file"));
    }

    private Optional<Bytes> left(String limitFile, String usage, String files) {
        Optional<Bytes> limit = memoryIn(limitFile);
        if (limit.isEmpty()) {
            return limit;
        }
        String group = limitFile.substring(0, limitFile.lastIndexOf('/') + 1);
        long used = number(group + "memory." + usage, text -> Optional.of(text.strip()));
        long inactive = number(group + "memory.stat", text -> CgroupText.findValue(text, files));
        long most = limit.get().unsigned();
        return Optional.of(Bytes.of(Math.max(0, most - Math.max(0, used - inactive))));
    }

    private long number(String file, Function<String, Optional<String>> part) {
        return context.files()
                .findText(file, MAX_STATISTICS)
                .flatMap(part)
                .flatMap(text -> Amount.count(text, Long.MAX_VALUE))
                .orElse(0L);
    }

    private String unified() {
        return CgroupText.findPath(groups, "").orElse("/");
    }

    private Optional<Bytes> memoryIn(String file) {
        return context.files().findText(file, MAX_VALUE).flatMap(CgroupText::parseMemoryLimit);
    }

    private Optional<Double> oldCpusIn(String quotaFile) {
        Optional<String> quota = context.files().findText(quotaFile, MAX_VALUE);
        if (quota.isEmpty() || quota.get().startsWith("-")) {
            return Optional.empty();
        }
        return context.files()
                .findText(quotaFile.replace("quota", "period"), MAX_VALUE)
                .flatMap(period -> CgroupText.cpuLimit(quota.get(), period));
    }

    private <T extends Comparable<T>> Reading<T> least(
            String root, String group, String name, Function<String, Optional<T>> limit) {
        Reading<T> least = Reading.notSupported("no control group sets a limit");
        String path = group;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            String folder = path.equals("/") ? root : root + path;
            String file = folder + "/" + name;
            Optional<T> value = limit.apply(file);
            Optional<T> before = least.find();
            if (value.isPresent() && (before.isEmpty() || value.get().compareTo(before.get()) < 0)) {
                least = Reading.known(value.get(), context.fromFile(file));
            }
            if (path.equals("/")) {
                break;
            }
            int slash = path.lastIndexOf('/');
            path = slash <= 0 ? "/" : path.substring(0, slash);
        }
        return least;
    }
}
