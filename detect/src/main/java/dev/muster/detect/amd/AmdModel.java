package dev.muster.detect.amd;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Hertz;
import java.util.Optional;

/// What data sheets say of a GPU. Blank texts and zeros stand for what the table does not hold; the methods never
/// return them.
///
/// @param label marketing name
/// @param memoryType what the memory is made of
/// @param busBits width of the memory bus; of one die where a package has two
/// @param transfers data transfers per pin for each cycle of the memory clock that the driver reports
/// @param statedGigabytes peak rate of the memory in GB/s
/// @param fabricGigabytes rate of all XGMI links together, one way, in GB/s
/// @param shared whether it is part of a processor and uses the host's memory
record AmdModel(
        String label,
        String memoryType,
        int busBits,
        int transfers,
        double statedGigabytes,
        double fabricGigabytes,
        boolean shared) {
    private static final double BITS_PER_BYTE = 8;
    private static final double GIGA = 1e9;

    static AmdModel of(String label, String memoryType) {
        return new AmdModel(label, memoryType, 0, 0, 0, 0, false);
    }

    AmdModel withBus(int bits, int perClock) {
        return new AmdModel(label, memoryType, bits, perClock, statedGigabytes, fabricGigabytes, shared);
    }

    AmdModel withRate(double gigabytes) {
        return new AmdModel(label, memoryType, busBits, transfers, gigabytes, fabricGigabytes, shared);
    }

    AmdModel withFabric(double gigabytes) {
        return new AmdModel(label, memoryType, busBits, transfers, statedGigabytes, gigabytes, shared);
    }

    AmdModel inProcessor() {
        return new AmdModel(label, memoryType, busBits, transfers, statedGigabytes, fabricGigabytes, true);
    }

    Optional<String> findName() {
        return Optional.of(label).filter(text -> !text.isEmpty());
    }

    Optional<String> findMemoryType() {
        return Optional.of(memoryType).filter(text -> !text.isEmpty());
    }

    /// The memory's peak rate at a clock; nothing where width or kind of memory are not known.
    Optional<Bandwidth> findRate(Hertz memoryClock) {
        return busBits == 0 || transfers == 0
                ? Optional.empty()
                : Optional.of(new Bandwidth(memoryClock.value() / GIGA * transfers * busBits / BITS_PER_BYTE));
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
