// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Hertz;
import java.util.List;
import java.util.Optional;

/// The data-sheet facts of a GPU. Blank texts and zeros stand for missing values; the methods never
/// return them.
///
/// Sources, read in November 2026: names from libdrm's list of AMD GPUs; rates of memory and fabric from AMD's data
/// sheets; buses from published specifications, each checked to give the stated rate. XGMI rates are half of what data
/// sheets give for both directions. What was not checked so is left out.
///
/// @param device the PCI id
/// @param revision the revision, where cards of one id differ; [#ANY] for all others
/// @param label marketing name
/// @param chip the chip that the id stands for, where cards of several names share it
/// @param memoryType type of memory
/// @param busBits width of the memory bus; of one die where a package has two
/// @param statedGigabytes peak rate of the memory in GB/s
/// @param fabricGigabytes rate of all XGMI links together, one way, in GB/s
/// @param shared true if it is part of a processor and uses the host's memory
record AmdModel(
        int device,
        int revision,
        String label,
        String chip,
        String memoryType,
        int busBits,
        double statedGigabytes,
        double fabricGigabytes,
        boolean shared) {
    static final String TABLE = "AMD GPUs by PCI id";
    static final int ANY = -1;

    private static final double BITS_PER_BYTE = 8;
    private static final double GIGA = 1e9;
    private static final String NAVI22 = "AMD Navi 22";
    private static final String NAVI31 = "AMD Navi 31";
    private static final String NAVI48 = "AMD Navi 48";
    private static final String HBM2 = "HBM2";
    private static final String HBM2E = "HBM2e";
    private static final String HBM3 = "HBM3";
    private static final String HBM3E = "HBM3e";
    private static final String GDDR5 = "GDDR5";
    private static final String GDDR6 = "GDDR6";

    /// Of one id, single revisions stand before all others.
    private static final List<AmdModel> MODELS = List.of(
            new AmdModel(0x6860, ANY, "", "AMD Vega 10", HBM2, 2048, 0, 0, false),
            new AmdModel(0x66a0, ANY, "", "AMD Vega 20", "", 0, 0, 0, false),
            new AmdModel(0x66a1, ANY, "", "AMD Vega 20", "", 0, 0, 0, false),
            new AmdModel(0x738c, ANY, "AMD Instinct MI100", "", HBM2, 4096, 1228.8, 138, false),
            new AmdModel(0x738e, ANY, "AMD Instinct MI100", "", HBM2, 4096, 1228.8, 138, false),
            // Two dies to a package: bus and rate are those of one.
            new AmdModel(0x7408, ANY, "AMD Instinct MI250X", "", HBM2E, 4096, 1638.4, 0, false),
            new AmdModel(0x740c, ANY, "AMD Instinct MI250X / MI250", "", HBM2E, 4096, 1638.4, 0, false),
            new AmdModel(0x740f, ANY, "AMD Instinct MI210", "", HBM2E, 4096, 1638.4, 150, false),
            new AmdModel(0x74a0, ANY, "AMD Instinct MI300A", "", HBM3, 8192, 5300, 384, true),
            new AmdModel(0x74a1, ANY, "AMD Instinct MI300X", "", HBM3, 8192, 5300, 448, false),
            new AmdModel(0x74a2, ANY, "AMD Instinct MI308X", "", "", 0, 0, 0, false),
            new AmdModel(0x74b5, ANY, "AMD Instinct MI300X VF", "", "", 0, 0, 0, false),
            new AmdModel(0x74a5, ANY, "AMD Instinct MI325X", "", HBM3E, 0, 6000, 448, false),
            new AmdModel(0x75a0, ANY, "AMD Instinct MI350X", "", HBM3E, 0, 8000, 537.5, false),
            new AmdModel(0x75a3, ANY, "AMD Instinct MI355X", "", HBM3E, 0, 8000, 537.5, false),
            new AmdModel(0x67df, ANY, "", "AMD Ellesmere", GDDR5, 256, 0, 0, false),
            new AmdModel(0x687f, ANY, "AMD Radeon RX Vega", "AMD Vega 10", HBM2, 2048, 0, 0, false),
            new AmdModel(0x66af, ANY, "AMD Radeon VII", "AMD Vega 20", "", 0, 0, 0, false),
            new AmdModel(0x73bf, ANY, "", "AMD Navi 21", GDDR6, 256, 0, 0, false),
            new AmdModel(0x73df, 0xc1, "AMD Radeon RX 6700 XT", NAVI22, GDDR6, 192, 0, 0, false),
            new AmdModel(0x73df, 0xc5, "AMD Radeon RX 6700 XT", NAVI22, GDDR6, 192, 0, 0, false),
            new AmdModel(0x73df, ANY, "", NAVI22, GDDR6, 0, 0, 0, false),
            new AmdModel(0x744c, 0xc8, "AMD Radeon RX 7900 XTX", NAVI31, GDDR6, 384, 960, 0, false),
            new AmdModel(0x744c, 0xcc, "AMD Radeon RX 7900 XT", NAVI31, GDDR6, 320, 800, 0, false),
            new AmdModel(0x744c, 0xce, "AMD Radeon RX 7900 GRE", NAVI31, GDDR6, 0, 0, 0, false),
            new AmdModel(0x744c, 0xcf, "AMD Radeon RX 7900M", NAVI31, GDDR6, 0, 0, 0, false),
            new AmdModel(0x744c, ANY, "", NAVI31, GDDR6, 0, 0, 0, false),
            new AmdModel(0x7448, ANY, "AMD Radeon Pro W7900", "", GDDR6, 384, 864, 0, false),
            new AmdModel(0x744a, ANY, "AMD Radeon Pro W7900", "", GDDR6, 384, 864, 0, false),
            new AmdModel(0x7550, 0xc0, "AMD Radeon RX 9070 XT", NAVI48, GDDR6, 256, 640, 0, false),
            new AmdModel(0x7550, 0xc2, "AMD Radeon RX 9070 GRE", NAVI48, GDDR6, 0, 0, 0, false),
            new AmdModel(0x7550, 0xc3, "AMD Radeon RX 9070", NAVI48, GDDR6, 0, 0, 0, false),
            new AmdModel(0x7550, ANY, "", NAVI48, GDDR6, 0, 0, 0, false),
            new AmdModel(0x7551, 0xc0, "AMD Radeon AI PRO R9700", NAVI48, GDDR6, 256, 640, 0, false),
            new AmdModel(0x7551, ANY, "", NAVI48, GDDR6, 0, 0, 0, false),
            new AmdModel(0x15bf, ANY, "", "AMD Phoenix", "", 0, 0, 0, true),
            new AmdModel(0x1586, ANY, "", "AMD Strix Halo", "LPDDR5x", 0, 256, 0, true));

    /// Finds the model by id and revision: some ids are shared by cards with different memory.
    ///
    /// @param revision [#ANY] where it is not known
    static Optional<AmdModel> find(int device, int revision) {
        for (AmdModel model : MODELS) {
            if (model.device == device && (model.revision == ANY || model.revision == revision)) {
                return Optional.of(model);
            }
        }
        return Optional.empty();
    }

    /// The generation that a compiler target belongs to, as AMD's documents name it.
    static Optional<String> findArchitecture(String target) {
        return Optional.ofNullable(
                switch (target) {
                    case "gfx900", "gfx906" -> "Vega";
                    case "gfx908" -> "CDNA";
                    case "gfx90a" -> "CDNA 2";
                    case "gfx940", "gfx941", "gfx942" -> "CDNA 3";
                    case "gfx950" -> "CDNA 4";
                    case "gfx1010", "gfx1011", "gfx1012" -> "RDNA";
                    case "gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036" -> "RDNA 2";
                    case "gfx1100", "gfx1101", "gfx1102", "gfx1103" -> "RDNA 3";
                    case "gfx1150", "gfx1151", "gfx1152", "gfx1153" -> "RDNA 3.5";
                    case "gfx1200", "gfx1201" -> "RDNA 4";
                    default -> null;
                });
    }

    Optional<String> findName() {
        return told(label);
    }

    Optional<String> findChip() {
        return told(chip);
    }

    Optional<String> findMemoryType() {
        return told(memoryType);
    }

    private static Optional<String> told(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /// The memory's peak rate at a clock; nothing where width or kind of memory are not known.
    Optional<Bandwidth> findRate(Hertz memoryClock) {
        return rate(memoryClock.value() / GIGA * transfers() * busBits / BITS_PER_BYTE);
    }

    /// Data transfers per pin for each cycle of the clock that the driver reports. Where the relation was not checked
    /// against a data sheet, the table has no bus.
    private int transfers() {
        return switch (memoryType) {
            case GDDR5, HBM3 -> 4;
            case GDDR6 -> 16;
            case HBM2, HBM2E -> 2;
            default -> 0;
        };
    }

    Optional<Bandwidth> findStatedRate() {
        return rate(statedGigabytes);
    }

    Optional<Bandwidth> findFabricRate() {
        return rate(fabricGigabytes);
    }

    private static Optional<Bandwidth> rate(double gigabytes) {
        return gigabytes == 0 ? Optional.empty() : Optional.of(new Bandwidth(gigabytes));
    }
}
