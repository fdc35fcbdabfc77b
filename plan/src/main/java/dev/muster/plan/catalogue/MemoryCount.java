package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;

/// What a vendor's gigabyte is, and how much of it programs get.
///
/// The shares are the least that drivers show of the size on the box: a V100 of 16 GB has 16160 MiB (0.986), an H100
/// of 80 GB 81559 MiB (0.996), an H200 of 141 GB 143771 MiB (0.996); an L40S of 48 GB 46068 MiB and an A10G of 24 GB
/// 23028 MiB (0.937), since error correction takes one part in sixteen of GDDR memory. The H200 was measured
/// (2026-11), the others are figures of `nvidia-smi`, recalled.
///
/// @since 0.1
public enum MemoryCount {
    /// Gigabytes of 2^30 bytes; nearly all of them.
    BINARY(1L << 30, 985),
    /// Gigabytes of 2^30 bytes, of which error correction takes a part.
    BINARY_WITH_ECC(1L << 30, 930),
    /// Gigabytes of 10^9 bytes, where nothing better is known.
    DECIMAL(1_000_000_000L, 1000);

    private final long gigabyte;
    private final int thousandths;

    MemoryCount(long gigabyte, int thousandths) {
        this.gigabyte = gigabyte;
        this.thousandths = thousandths;
    }

    /// The bytes of that many of the vendor's gigabytes.
    public Bytes total(double gigabytes) {
        return Bytes.of((long) (gigabytes * gigabyte));
    }

    /// The bytes that programs get of that many of the vendor's gigabytes.
    public Bytes usable(double gigabytes) {
        return Bytes.of((long) (gigabytes * gigabyte * thousandths / 1000));
    }

    /// How a vendor counts.
    static MemoryCount of(String vendor, DeviceClass deviceClass, String memoryType) {
        return switch (vendor) {
            case "nvidia" ->
                deviceClass == DeviceClass.DATACENTER && hasCodesInMemory(memoryType) ? BINARY_WITH_ECC : BINARY;
            // Tools of these vendors show the size on the box in GiB.
            case "amd", "google", "aws", "apple" -> BINARY;
            case "intel" -> memoryType.startsWith("HBM") ? BINARY : DECIMAL;
            default -> DECIMAL;
        };
    }

    /// HBM has room for check bits of its own, and so has GDDR7.
    private static boolean hasCodesInMemory(String memoryType) {
        return memoryType.startsWith("GDDR") && !memoryType.startsWith("GDDR7");
    }
}
