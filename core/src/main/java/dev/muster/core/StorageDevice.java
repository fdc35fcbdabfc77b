// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;

/// A drive of the host.
///
/// @param name its name, such as `nvme0n1`
/// @param kind its kind
/// @param bandwidth its rate when read in sequence, or the most that its link carries; the source says which
/// @param model the manufacturer's name; of joined drives the level, such as `raid1`
/// @param size its capacity
/// @param state the state of joined drives: `active`, or a fault or activity such as `degraded 1 of 2, recovering
/// 8.5 %`
/// @since 0.1
public record StorageDevice(
        String name,
        StorageKind kind,
        Reading<Bandwidth> bandwidth,
        Reading<String> model,
        Reading<Bytes> size,
        Reading<String> state) {
    /// A drive of which only name, kind and rate are known.
    public static StorageDevice of(String name, StorageKind kind, Reading<Bandwidth> bandwidth) {
        return new StorageDevice(name, kind, bandwidth, Reading.notProbed(), Reading.notProbed(), Reading.notProbed());
    }

    /// The kind of a storage device.
    ///
    /// @since 0.1
    public enum StorageKind implements KebabCaseEnum {
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

        /// The name in tagged documents of ai-hwaccel.
        public String referenceName() {
            return referenceName;
        }

        /// Reports whether tagged documents of ai-hwaccel list drives of this kind.
        public boolean isInReference() {
            return this != RAID;
        }

        /// The name for people.
        public String display() {
            return display;
        }
    }
}
