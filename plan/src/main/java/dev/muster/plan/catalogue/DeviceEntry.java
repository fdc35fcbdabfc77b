// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import dev.muster.core.unit.Watts;
import dev.muster.model.CatalogueException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A device by its data sheet: one row of the device catalogue. Immutable and safe to share between threads.
///
/// @param id short name, such as `h100-sxm`
/// @param vendor the maker in lower case, such as `nvidia`
/// @param name display name
/// @param deviceClass market segment
/// @param memory its memory
/// @param peaks dense peak rates; a precision that is missing is not in the data sheet
/// @param link link to others of its kind
/// @param tdp power limit
/// @param launchYear year of its launch
/// @param signature properties by which it is recognised
/// @param origin origin of the figures
/// @since 0.1
public record DeviceEntry(
        String id,
        String vendor,
        String name,
        DeviceClass deviceClass,
        Memory memory,
        Map<Precision, OperationRate> peaks,
        DeviceLink link,
        Reading<Watts> tdp,
        Reading<Long> launchYear,
        Signature signature,
        EntryOrigin origin) {
    public DeviceEntry {
        peaks = Map.copyOf(peaks);
    }

    /// Hashes the id alone. A record's own method generates classes at run time, which takes 14 ms here
    /// (docs/decisions/0004).
    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /// Returns the dense peak rate in a precision.
    public Reading<OperationRate> peak(Precision precision) {
        OperationRate rate = peaks.get(precision);
        return rate == null ? Reading.unknown(UnknownReason.NOT_STATED) : Reading.known(rate, provenance());
    }

    /// Returns the dense peak rate with 16-bit numbers: the larger of both kinds, or that of 32 bits if neither is
    /// stated.
    public Reading<OperationRate> halfPeak() {
        OperationRate brain = peaks.get(Precision.BF16);
        OperationRate half = peaks.get(Precision.FP16);
        if (brain == null && half == null) {
            return peak(Precision.FP32);
        }
        boolean isBrain = brain != null && (half == null || brain.teraPerSecond() >= half.teraPerSecond());
        return peak(isBrain ? Precision.BF16 : Precision.FP16);
    }

    /// Returns the dense peak rate with 8-bit numbers: of floating point, or of integers if that is not stated.
    public Reading<OperationRate> eightBitPeak() {
        return peak(peaks.containsKey(Precision.FP8) ? Precision.FP8 : Precision.INT8);
    }

    /// Returns the bits of the smallest floating-point numbers that have a peak rate: 4, 8 or 16.
    public int leastFloatBits() {
        return peaks.containsKey(Precision.FP4) ? 4 : peaks.containsKey(Precision.FP8) ? 8 : 16;
    }

    /// Reports whether sums in 32 bits halve the rate with 16-bit numbers: those of GeForce do, of professional cards
    /// not.
    public boolean halvesHalfSums() {
        return vendor.equals("nvidia")
                && deviceClass == DeviceClass.CONSUMER
                && (peaks.containsKey(Precision.BF16) || peaks.containsKey(Precision.FP16));
    }

    /// Returns the provenance of this row's facts.
    public Provenance provenance() {
        return origin.provenance(id);
    }

    /// Returns the kind of device that probes report, if they know one.
    public Optional<AcceleratorKind> findKind() {
        return DeviceKinds.find(this);
    }

    /// Reports whether the device computes with a model of that level: its kind has to, and 16-bit brain floating
    /// point also has to be in the data sheet if IEEE half precision is. A T4 can store such a model, but not run
    /// it.
    public boolean supports(QuantizationLevel level) {
        boolean kindDoes = findKind()
                .filter(kind -> kind.supportedQuantizations().contains(level))
                .isPresent();
        boolean lacksBrainFloat = peaks.containsKey(Precision.FP16) && !peaks.containsKey(Precision.BF16);
        return kindDoes && !(level == QuantizationLevel.BFLOAT16 && lacksBrainFloat);
    }

    /// Returns a profile of one such device as a host would show it, for hypothetical machines.
    ///
    /// @throws CatalogueException if no probe knows this kind of device, so that nothing can be planned for it
    public AcceleratorProfile toProfile(long deviceId) {
        return DeviceKinds.profile(perDeviceShown(), deviceId);
    }

    /// Returns one device as the system shows it: half a card where that has two chips.
    ///
    /// @since 0.3
    public DeviceEntry perDeviceShown() {
        return signature.devicesShown() == 1 ? this : times(1.0 / signature.devicesShown());
    }

    /// Returns a multiple of it as one.
    DeviceEntry times(double factor) {
        Map<Precision, OperationRate> rates = new EnumMap<>(Precision.class);
        peaks.forEach((precision, rate) -> rates.put(precision, new OperationRate(rate.teraPerSecond() * factor)));
        return new DeviceEntry(
                id,
                vendor,
                name,
                deviceClass,
                memory.times(factor),
                rates,
                link.times(factor),
                tdp.map(power -> new Watts(power.value() * factor)),
                launchYear,
                signature,
                origin);
    }

    /// The memory of a device, by its data sheet. If processor and device share one memory, the largest size sold.
    ///
    /// @param gigabytes the size in the vendor's gigabytes
    /// @param count meaning of those gigabytes
    /// @param type memory technology, such as `HBM3`
    /// @param bandwidth the peak rate between the device and its memory
    public record Memory(double gigabytes, MemoryCount count, String type, Bandwidth bandwidth) {
        /// Returns the whole memory.
        public Bytes total() {
            return count.total(gigabytes);
        }

        /// Returns the memory for programs.
        public Bytes usable() {
            return count.usable(gigabytes);
        }

        Memory times(double factor) {
            return new Memory(gigabytes * factor, count, type, new Bandwidth(bandwidth.gigabytesPerSecond() * factor));
        }
    }

    /// The links of a device to others of its kind, by its data sheet.
    ///
    /// @param kind fastest kind of link, such as `nvlink4` or `pcie4`; `none` if there is none
    /// @param bothWays the rate of all links of a device, both ways together
    /// @param domain number of devices that one fast fabric joins
    public record DeviceLink(String kind, Reading<Bandwidth> bothWays, Reading<Long> domain) {
        private static final String NONE = "none";
        private static final String PCI_EXPRESS = "pcie";

        /// Reports whether the links are a fabric of the devices' own, apart from the way to the host.
        public boolean isFabric() {
            return !kind.equals(NONE) && !isBus();
        }

        /// Reports whether devices reach each other over the bus of the host.
        public boolean isBus() {
            return kind.startsWith(PCI_EXPRESS);
        }

        /// Returns the rate of all links of a device, one way.
        public Reading<Bandwidth> oneWay() {
            return bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() / 2));
        }

        DeviceLink times(double factor) {
            return new DeviceLink(
                    kind, bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() * factor)), domain);
        }
    }

    /// The properties by which a device is recognised in a host.
    ///
    /// @param pciIds vendor and device on the PCI bus, such as `10de:2330`
    /// @param shortNames names that people type beside its id, such as `h100`
    /// @param aliases names of drivers, beside its own
    /// @param computeUnits cores, if they distinguish devices of one name
    /// @param computeCapability CUDA compute capability, such as 8.9; unknown if it has none
    /// @param devicesShown number of devices that the system shows for one; 2 for a card of two chips
    public record Signature(
            List<String> pciIds,
            List<String> shortNames,
            List<String> aliases,
            Reading<Long> computeUnits,
            Reading<Double> computeCapability,
            int devicesShown) {
        public Signature {
            pciIds = List.copyOf(pciIds);
            shortNames = List.copyOf(shortNames);
            aliases = List.copyOf(aliases);
        }
    }

    /// The origin of a catalogue row's figures.
    ///
    /// @param confidence confidence in them
    /// @param source the document
    /// @param note note for readers; blank if there is none
    /// @param checked comparison with another source, in words; blank if unknown
    public record EntryOrigin(EntryConfidence confidence, String source, String note, String checked) {
        /// Returns the provenance of a fact of the row.
        Provenance provenance(String id) {
            return Provenance.of(
                    "device catalogue, " + id + ": " + source, Provenance.Method.CATALOGUE, confidence.meaning());
        }
    }

    /// The confidence in the figures of a catalogue row.
    public enum EntryConfidence {
        /// From the vendor's data sheet.
        HIGH(Provenance.Confidence.STATED),
        /// From the vendor's data sheet, which leaves open questions.
        MEDIUM(Provenance.Confidence.STATED),
        /// Second-hand.
        LOW(Provenance.Confidence.ASSUMED);

        private final Provenance.Confidence meaning;
        private final String text = name().toLowerCase(Locale.ROOT);

        EntryConfidence(Provenance.Confidence meaning) {
            this.meaning = meaning;
        }

        /// Returns the confidence as the catalogue writes it.
        public String text() {
            return text;
        }

        /// Returns the confidence of a fact of the row.
        public Provenance.Confidence meaning() {
            return meaning;
        }
    }

    /// The meaning of a vendor's gigabyte, and the share of memory that programs get.
    ///
    /// The shares are the least that drivers show of the size on the box: a V100 of 16 GB has 16160 MiB (0.986), an
    /// H100 of 80 GB 81559 MiB (0.996), an H200 of 141 GB 143771 MiB (0.996); an L40S of 48 GB 46068 MiB and an
    /// A10G of 24 GB 23028 MiB (0.937), since error correction takes one part in sixteen of GDDR memory. The H200
    /// was measured (2026-11), the others are figures of `nvidia-smi`, recalled.
    public enum MemoryCount {
        /// Gigabytes of 2^30 bytes; nearly all of them.
        BINARY(1L << 30, 985),
        /// Gigabytes of 2^30 bytes, of which error correction takes a part.
        BINARY_WITH_ECC(1L << 30, 930),
        /// Gigabytes of 10^9 bytes, if nothing more precise is known.
        DECIMAL(1_000_000_000L, 1000);

        private final long gigabyte;
        private final int thousandths;

        MemoryCount(long gigabyte, int thousandths) {
            this.gigabyte = gigabyte;
            this.thousandths = thousandths;
        }

        /// Returns the bytes of that many of the vendor's gigabytes.
        public Bytes total(double gigabytes) {
            return Bytes.of((long) (gigabytes * gigabyte));
        }

        /// Returns the bytes for programs of that many of the vendor's gigabytes.
        public Bytes usable(double gigabytes) {
            return Bytes.of((long) (gigabytes * gigabyte * thousandths / 1000));
        }

        /// Returns the meaning of gigabytes for a vendor.
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

    /// The market segment of a device.
    public enum DeviceClass {
        /// Servers.
        DATACENTER,
        /// Professional desktops.
        WORKSTATION,
        /// Home computers.
        CONSUMER,
        /// Small computers beside machines and sensors; memory is shared with the processor.
        EDGE,
        /// Processors with a large GPU inside, which share their memory.
        APU,
        /// Whole computers on a chip, which share their memory.
        SOC,
        /// A wafer in one piece.
        WAFER;

        private final String text = name().toLowerCase(Locale.ROOT);

        /// Returns the class as the catalogue writes it.
        public String text() {
            return text;
        }

        /// Reports whether the device and the processor share one memory, whose size a buyer chooses.
        boolean sharesMemory() {
            return this == EDGE || this == APU || this == SOC;
        }
    }
}
