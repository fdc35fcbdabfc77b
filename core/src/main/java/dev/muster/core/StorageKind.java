package dev.muster.core;

/// The kind of a storage device.
///
/// @since 0.1
public enum StorageKind {
    /// NVMe drive.
    NVME("NVMe", "NVMe"),
    /// Solid-state drive behind SATA.
    SATA_SSD("SataSsd", "SATA SSD"),
    /// Rotating disk.
    HDD("Hdd", "HDD"),
    /// Several drives that the kernel joins to one; no kind of ai-hwaccel's.
    RAID("Raid", "RAID"),
    /// A drive whose kind the system does not tell.
    UNKNOWN("Unknown", "Unknown");

    private final String referenceName;
    private final String display;

    StorageKind(String referenceName, String display) {
        this.referenceName = referenceName;
        this.display = display;
    }

    /// The name in tagged documents of ai-hwaccel; one of our own where it has none.
    public String referenceName() {
        return referenceName;
    }

    /// Whether tagged documents of ai-hwaccel list drives of this kind.
    public boolean isInReference() {
        return this != RAID;
    }

    /// The name for people.
    public String display() {
        return display;
    }
}
