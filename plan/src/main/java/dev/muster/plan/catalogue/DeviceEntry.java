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
/// @param id the short name that people and tables write, such as `h100-sxm`
/// @param vendor the maker in lower case, such as `nvidia`
/// @param name the name for people
/// @param deviceClass what it is sold for
/// @param memory its memory
/// @param peaks dense peak rates; a precision that is not in it is not in the data sheet
/// @param link how it is joined with others
/// @param tdp the power it may draw
/// @param launchYear the year it came out
/// @param signature by what it is recognised
/// @param origin where the figures are from
/// @since 0.1
public record DeviceEntry(
        String id,
        String vendor,
        String name,
        DeviceClass deviceClass,
        Memory memory,
        Map<Precision, OperationRate> peaks,
        Link link,
        Reading<Watts> tdp,
        Reading<Long> launchYear,
        Signature signature,
        Origin origin) {
    /// Copies the peak rates.
    public DeviceEntry {
        peaks = Map.copyOf(peaks);
    }

    /// Returns the hash of the id alone, which no other entry of a catalogue has.
    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /// The dense peak rate in a precision.
    public Reading<OperationRate> peak(Precision precision) {
        OperationRate rate = peaks.get(precision);
        return rate == null ? Reading.unknown(UnknownReason.NOT_STATED) : Reading.known(rate, provenance());
    }

    /// The dense peak rate with 16-bit numbers: the larger of both kinds, or that of 32 bits where neither is stated.
    public Reading<OperationRate> halfPeak() {
        OperationRate brain = peaks.get(Precision.BF16);
        OperationRate half = peaks.get(Precision.FP16);
        if (brain == null && half == null) {
            return peak(Precision.FP32);
        }
        boolean isBrain = brain != null && (half == null || brain.teraPerSecond() >= half.teraPerSecond());
        return peak(isBrain ? Precision.BF16 : Precision.FP16);
    }

    /// The dense peak rate with 8-bit numbers: of floating point, or of integers where that is not stated.
    public Reading<OperationRate> eightBitPeak() {
        return peak(peaks.containsKey(Precision.FP8) ? Precision.FP8 : Precision.INT8);
    }

    /// Bits of the smallest floating-point numbers that have a peak rate: 4, 8 or 16.
    public int leastFloatBits() {
        return peaks.containsKey(Precision.FP4) ? 4 : peaks.containsKey(Precision.FP8) ? 8 : 16;
    }

    /// Whether sums in 32 bits halve the rate with 16-bit numbers: those of GeForce do, of professional cards not.
    public boolean halvesHalfSums() {
        return vendor.equals("nvidia")
                && deviceClass == DeviceClass.CONSUMER
                && (peaks.containsKey(Precision.BF16) || peaks.containsKey(Precision.FP16));
    }

    /// Where a fact of this row comes from.
    public Provenance provenance() {
        return origin.provenance(id);
    }

    /// The kind of device that probes see, if they know one.
    public Optional<AcceleratorKind> findKind() {
        return DeviceKinds.find(this);
    }

    /// Whether the device computes with a model of that level: its kind has to, and 16-bit brain floating
    /// point also has to be in the data sheet where IEEE half precision is. A T4 takes the bytes of such a
    /// model, but does not run it.
    public boolean supports(QuantizationLevel level) {
        boolean kindDoes = findKind()
                .filter(kind -> kind.supportedQuantizations().contains(level))
                .isPresent();
        boolean lacksBrainFloat = peaks.containsKey(Precision.FP16) && !peaks.containsKey(Precision.BF16);
        return kindDoes && !(level == QuantizationLevel.BFLOAT16 && lacksBrainFloat);
    }

    /// A profile of one such device as a machine would show it, for questions that begin with "what if".
    ///
    /// @throws CatalogueException if no probe knows this kind of device, so that nothing can be planned for it
    public AcceleratorProfile toProfile(long deviceId) {
        return DeviceKinds.profile(perDeviceShown(), deviceId);
    }

    /// One device as the system shows it: half a card where that has two chips.
    DeviceEntry perDeviceShown() {
        return signature.devicesShown() == 1 ? this : times(1.0 / signature.devicesShown());
    }

    /// So many of it as one.
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

    /// The memory of a device, by its data sheet. Where processor and device share one memory, the largest size
    /// sold.
    ///
    /// @param gigabytes the size in the vendor's gigabytes
    /// @param count what those gigabytes are
    /// @param type what the memory is made of, such as `HBM3`
    /// @param bandwidth the peak rate between the device and its memory
    public record Memory(double gigabytes, MemoryCount count, String type, Bandwidth bandwidth) {
        /// The whole memory.
        public Bytes total() {
            return count.total(gigabytes);
        }

        /// The memory that programs get.
        public Bytes usable() {
            return count.usable(gigabytes);
        }

        Memory times(double factor) {
            return new Memory(gigabytes * factor, count, type, new Bandwidth(bandwidth.gigabytesPerSecond() * factor));
        }
    }

    /// How a device is joined with others of its kind, by its data sheet.
    ///
    /// @param kind the fastest kind of link, such as `nvlink4` or `pcie4`; `none` where there is none
    /// @param bothWays the rate of all links of a device, both ways together
    /// @param domain how many devices one fast fabric joins
    public record Link(String kind, Reading<Bandwidth> bothWays, Reading<Long> domain) {
        private static final String NONE = "none";
        private static final String PCI_EXPRESS = "pcie";

        /// Whether the links are a fabric of the devices' own, apart from the way to the host.
        public boolean isFabric() {
            return !kind.equals(NONE) && !isBus();
        }

        /// Whether devices reach each other over the bus of the host.
        public boolean isBus() {
            return kind.startsWith(PCI_EXPRESS);
        }

        /// The rate of all links of a device, one way.
        public Reading<Bandwidth> oneWay() {
            return bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() / 2));
        }

        Link times(double factor) {
            return new Link(kind, bothWays.map(rate -> new Bandwidth(rate.gigabytesPerSecond() * factor)), domain);
        }
    }

    /// By what a device is recognised in a machine.
    ///
    /// @param pciIds vendor and device on the PCI bus, such as `10de:2330`
    /// @param shortNames what people type beside its id, such as `h100`
    /// @param aliases what drivers call it, beside its name
    /// @param computeUnits cores, where they tell apart what has one name
    /// @param computeCapability what CUDA calls its generation, such as 8.9; unknown where it has none
    /// @param devicesShown as how many devices the system shows one; 2 for a card of two chips
    public record Signature(
            List<String> pciIds,
            List<String> shortNames,
            List<String> aliases,
            Reading<Long> computeUnits,
            Reading<Double> computeCapability,
            int devicesShown) {
        /// Copies the lists.
        public Signature {
            pciIds = List.copyOf(pciIds);
            shortNames = List.copyOf(shortNames);
            aliases = List.copyOf(aliases);
        }
    }

    /// Where the figures of a catalogue row are from.
    ///
    /// @param confidence how sure they are
    /// @param source the document
    /// @param note what else a reader should know; blank when nothing
    /// @param checked what was compared with another source, in words; blank when unknown
    public record Origin(Confidence confidence, String source, String note, String checked) {
        /// The provenance of a fact that is taken from the row of a device.
        Provenance provenance(String id) {
            return Provenance.of(
                    "device catalogue, " + id + ": " + source, Provenance.Method.CATALOGUE, confidence.meaning());
        }
    }

    /// How sure the figures of a catalogue row are.
    public enum Confidence {
        /// From the vendor's data sheet.
        HIGH(Provenance.Confidence.STATED),
        /// From the vendor's data sheet, which leaves something open.
        MEDIUM(Provenance.Confidence.STATED),
        /// Second-hand.
        LOW(Provenance.Confidence.ASSUMED);

        private final Provenance.Confidence meaning;
        private final String text = name().toLowerCase(Locale.ROOT);

        Confidence(Provenance.Confidence meaning) {
            this.meaning = meaning;
        }

        /// The confidence as the catalogue writes it.
        public String text() {
            return text;
        }

        /// What it means for a fact that is taken from the row.
        public Provenance.Confidence meaning() {
            return meaning;
        }
    }

    /// What a vendor's gigabyte is, and how much of it programs get.
    ///
    /// The shares are the least that drivers show of the size on the box: a V100 of 16 GB has 16160 MiB (0.986),
    /// an H100 of 80 GB 81559 MiB (0.996), an H200 of 141 GB 143771 MiB (0.996); an L40S of 48 GB 46068 MiB and an
    /// A10G of 24 GB 23028 MiB (0.937), since error correction takes one part in sixteen of GDDR memory. The H200
    /// was measured (2026-11), the others are figures of `nvidia-smi`, recalled.
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

    /// What a device is sold for.
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

        /// The class as the catalogue writes it.
        public String text() {
            return text;
        }

        /// Whether the device and the processor share one memory, whose size a buyer chooses.
        boolean sharesMemory() {
            return this == EDGE || this == APU || this == SOC;
        }
    }
}
