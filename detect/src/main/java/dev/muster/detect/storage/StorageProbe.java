// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.storage;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds the drives of a host, and the arrays that the kernel makes of them. The rate of a drive is not measured; for
/// an NVMe drive, the rate of its link is the best
/// estimate.
public final class StorageProbe {
    private static final String FOLDER = "/sys/block";
    /// Drives that are made of others, or of memory, or that take discs.
    private static final String[] NOT_DRIVES = {"loop", "dm-", "ram", "zram", "sr", "fd", "md"};
    /// The folder of block devices without hardware.
    private static final String VIRTUAL = "/devices/virtual/block/";

    private static final int MAX_DRIVES = 4096;
    private static final String UNKNOWN_SPEED = "the speed of the drive is unknown";
    private static final String ARRAYS = "/proc/mdstat";
    private static final int MAX_FILE = 1 << 20;
    /// The kernel counts in these, independent of the drive's block size.
    private static final long SECTOR = 512;

    /// Asks the host.
    ///
    /// @param gaps told of each file that could not be read
    public List<StorageDevice> probe(ProbeContext context, Consumer<Gap> gaps) {
        List<StorageDevice> drives = new ArrayList<>();
        for (String name : context.files().names(FOLDER)) {
            if (!isDrive(name) || drives.size() == MAX_DRIVES) {
                continue;
            }
            AttributeFolder folder = context.folder(FOLDER + "/" + name, gaps);
            if (folder.has("queue") && !isVirtual(folder.path(), context.files())) {
                drives.add(read(name, folder, context, gaps));
            }
        }
        addArrays(context, gaps, drives);
        return drives;
    }

    private static void addArrays(ProbeContext context, Consumer<Gap> gaps, List<StorageDevice> drives) {
        HostAnswer<String> outcome = context.files().read(ARRAYS, MAX_FILE);
        if (outcome instanceof HostAnswer.Found(String text)) {
            Provenance source = context.fromFile(ARRAYS);
            for (MdstatParser.Raid array : MdstatParser.parse(text)) {
                drives.add(new StorageDevice(
                        array.name(),
                        StorageDevice.StorageKind.RAID,
                        Reading.notSupported(UNKNOWN_SPEED),
                        array.level().isEmpty()
                                ? Reading.notSupported(ARRAYS + " names no level")
                                : Reading.known(array.level(), source),
                        array.kib() == 0
                                ? Reading.notSupported(ARRAYS + " reports no size")
                                : Reading.known(Bytes.ofKib(array.kib()), source),
                        Reading.known(array.state(), source)));
            }
        } else if (outcome instanceof HostAnswer.Unreadable(String message)) {
            gaps.accept(new Gap.FileUnreadable(ARRAYS, message));
        }
    }

    private static boolean isDrive(String name) {
        for (String prefix : NOT_DRIVES) {
            if (name.startsWith(prefix)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isVirtual(String folder, HostFiles files) {
        return files.findRealPath(folder).filter(path -> path.contains(VIRTUAL)).isPresent();
    }

    private static StorageDevice read(String name, AttributeFolder folder, ProbeContext context, Consumer<Gap> gaps) {
        StorageDevice.StorageKind kind = kind(name, folder);
        Reading<Bytes> size = folder.reading("size", StorageProbe::parseSectors);
        Reading<Bandwidth> bandwidth = kind == StorageDevice.StorageKind.NVME
                ? linkBandwidth(folder.path(), context, gaps)
                : Reading.notSupported(UNKNOWN_SPEED);
        return new StorageDevice(
                name, kind, bandwidth, folder.folder("device").text("model"), size, Reading.notProbed());
    }

    private static StorageDevice.StorageKind kind(String name, AttributeFolder folder) {
        if (name.startsWith("nvme")) {
            return StorageDevice.StorageKind.NVME;
        }
        // A virtual disk repeats what its host was told to say.
        if (name.startsWith("vd") || name.startsWith("xvd")) {
            return StorageDevice.StorageKind.UNKNOWN;
        }
        return switch (folder.text("queue/rotational").find().orElse("")) {
            case "0" -> StorageDevice.StorageKind.SATA_SSD;
            case "1" -> StorageDevice.StorageKind.HDD;
            default -> StorageDevice.StorageKind.UNKNOWN;
        };
    }

    static Optional<Bytes> parseSectors(String text) {
        return Amount.count(text, Long.MAX_VALUE / SECTOR)
                .filter(sectors -> sectors > 0)
                .map(sectors -> Bytes.of(sectors * SECTOR));
    }

    /// The most that the link to the drive's controller carries; a drive with several controllers has several links.
    private static Reading<Bandwidth> linkBandwidth(String drive, ProbeContext context, Consumer<Gap> gaps) {
        HostFiles files = context.files();
        String device = drive + "/device";
        Optional<PciPath> path = files.findRealPath(device).flatMap(PciPath::parse);
        if (path.isEmpty()) {
            List<String> controllers = files.numbered(device, "nvme");
            path = controllers.size() == 1
                    ? files.findRealPath(device + "/" + controllers.getFirst()).flatMap(PciPath::parse)
                    : Optional.empty();
        }
        return path.isEmpty()
                ? Reading.notSupported("the drive is on no PCI bus that the kernel shows")
                : new PciFacts(files, context.pci(), context.now(), gaps).bandwidth(path.get());
    }
}
