package dev.muster.detect.amd;

import java.util.Optional;

/// Known GPUs by PCI id.
///
/// Sources, read in November 2026: names from libdrm's list of AMD GPUs; rates of memory and fabric from AMD's data
/// sheets; buses from published specifications, each checked to give the stated rate. XGMI rates are half of what data
/// sheets give for both directions. What was not checked so is left out.
///
/// The driver reports a clock that differs from the data rate by kind of memory: GDDR5 moves 4 bits per pin and cycle,
/// GDDR6 16, HBM2 2, the HBM3 of the MI300 family 4. Where the relation was not checked against a data sheet, only the
/// stated rate is kept.
final class AmdModels {
    static final String NAME = "AMD GPUs by PCI id";
    static final int NO_REVISION = -1;

    private static final String HBM2 = "HBM2";
    private static final String HBM2E = "HBM2e";
    private static final String HBM3 = "HBM3";
    private static final String HBM3E = "HBM3e";
    private static final String GDDR6 = "GDDR6";
    private static final int PER_CLOCK_GDDR5 = 4;
    private static final int PER_CLOCK_GDDR6 = 16;
    private static final int PER_CLOCK_HBM2 = 2;
    private static final int PER_CLOCK_HBM3 = 4;

    private AmdModels() {}

    /// What the id alone says.
    static Optional<AmdModel> find(int device) {
        return find(device, NO_REVISION);
    }

    /// What id and revision say: some ids are shared by cards with different memory.
    static Optional<AmdModel> find(int device, int revision) {
        return switch (device) {
            case 0x744c -> Optional.of(navi31(revision));
            case 0x7550 -> Optional.of(navi48(revision));
            case 0x73df -> Optional.of(navi22(revision));
            case 0x7551 -> Optional.of(r9700(revision));
            default -> instinct(device).or(() -> radeon(device));
        };
    }

    private static Optional<AmdModel> instinct(int device) {
        return Optional.ofNullable(
                switch (device) {
                    case 0x6860 -> AmdModel.of("", HBM2).withBus(2048, PER_CLOCK_HBM2);
                    case 0x66a0, 0x66a1 -> AmdModel.of("", "");
                    case 0x738c, 0x738e ->
                        AmdModel.of("AMD Instinct MI100", HBM2)
                                .withBus(4096, PER_CLOCK_HBM2)
                                .withRate(1228.8)
                                .withFabric(138);
                    // Two dies to a package: bus and rate are those of one.
                    case 0x7408 -> mi200Die("AMD Instinct MI250X");
                    case 0x740c -> mi200Die("AMD Instinct MI250X / MI250");
                    case 0x740f -> mi200Die("AMD Instinct MI210").withFabric(150);
                    case 0x74a0 -> mi300("AMD Instinct MI300A").withFabric(384).inProcessor();
                    case 0x74a1 -> mi300("AMD Instinct MI300X").withFabric(448);
                    case 0x74a2 -> AmdModel.of("AMD Instinct MI308X", "");
                    case 0x74b5 -> AmdModel.of("AMD Instinct MI300X VF", "");
                    case 0x74a5 ->
                        AmdModel.of("AMD Instinct MI325X", HBM3E).withRate(6000).withFabric(448);
                    case 0x75a0 ->
                        AmdModel.of("AMD Instinct MI350X", HBM3E).withRate(8000).withFabric(537.5);
                    case 0x75a3 ->
                        AmdModel.of("AMD Instinct MI355X", HBM3E).withRate(8000).withFabric(537.5);
                    default -> null;
                });
    }

    private static AmdModel mi200Die(String name) {
        return AmdModel.of(name, HBM2E).withBus(4096, PER_CLOCK_HBM2).withRate(1638.4);
    }

    private static AmdModel mi300(String name) {
        return AmdModel.of(name, HBM3).withBus(8192, PER_CLOCK_HBM3).withRate(5300);
    }

    private static Optional<AmdModel> radeon(int device) {
        return Optional.ofNullable(
                switch (device) {
                    case 0x67df -> AmdModel.of("", "GDDR5").withBus(256, PER_CLOCK_GDDR5);
                    case 0x687f -> AmdModel.of("AMD Radeon RX Vega", HBM2).withBus(2048, PER_CLOCK_HBM2);
                    case 0x66af -> AmdModel.of("AMD Radeon VII", "");
                    case 0x73bf -> AmdModel.of("", GDDR6).withBus(256, PER_CLOCK_GDDR6);
                    case 0x7448, 0x744a ->
                        AmdModel.of("AMD Radeon Pro W7900", GDDR6)
                                .withBus(384, PER_CLOCK_GDDR6)
                                .withRate(864);
                    case 0x15bf -> AmdModel.of("", "").inProcessor();
                    case 0x1586 -> AmdModel.of("", "LPDDR5x").withRate(256).inProcessor();
                    default -> null;
                });
    }

    private static AmdModel navi31(int revision) {
        return switch (revision) {
            case 0xc8 ->
                AmdModel.of("AMD Radeon RX 7900 XTX", GDDR6)
                        .withBus(384, PER_CLOCK_GDDR6)
                        .withRate(960);
            case 0xcc ->
                AmdModel.of("AMD Radeon RX 7900 XT", GDDR6)
                        .withBus(320, PER_CLOCK_GDDR6)
                        .withRate(800);
            case 0xce -> AmdModel.of("AMD Radeon RX 7900 GRE", GDDR6);
            case 0xcf -> AmdModel.of("AMD Radeon RX 7900M", GDDR6);
            default -> AmdModel.of("", GDDR6);
        };
    }

    private static AmdModel navi48(int revision) {
        return switch (revision) {
            case 0xc0 ->
                AmdModel.of("AMD Radeon RX 9070 XT", GDDR6)
                        .withBus(256, PER_CLOCK_GDDR6)
                        .withRate(640);
            case 0xc2 -> AmdModel.of("AMD Radeon RX 9070 GRE", GDDR6);
            case 0xc3 -> AmdModel.of("AMD Radeon RX 9070", GDDR6);
            default -> AmdModel.of("", GDDR6);
        };
    }

    private static AmdModel navi22(int revision) {
        return switch (revision) {
            case 0xc1, 0xc5 -> AmdModel.of("AMD Radeon RX 6700 XT", GDDR6).withBus(192, PER_CLOCK_GDDR6);
            default -> AmdModel.of("", GDDR6);
        };
    }

    private static AmdModel r9700(int revision) {
        return revision == 0xc0
                ? AmdModel.of("AMD Radeon AI PRO R9700", GDDR6)
                        .withBus(256, PER_CLOCK_GDDR6)
                        .withRate(640)
                : AmdModel.of("", GDDR6);
    }

    /// The chip that an id stands for, where cards of several names share it.
    static Optional<String> findChip(int device) {
        return Optional.ofNullable(
                switch (device) {
                    case 0x67df -> "AMD Ellesmere";
                    case 0x6860, 0x687f -> "AMD Vega 10";
                    case 0x66a0, 0x66a1, 0x66af -> "AMD Vega 20";
                    case 0x73bf -> "AMD Navi 21";
                    case 0x73df -> "AMD Navi 22";
                    case 0x744c -> "AMD Navi 31";
                    case 0x7550, 0x7551 -> "AMD Navi 48";
                    case 0x15bf -> "AMD Phoenix";
                    case 0x1586 -> "AMD Strix Halo";
                    default -> null;
                });
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
}
