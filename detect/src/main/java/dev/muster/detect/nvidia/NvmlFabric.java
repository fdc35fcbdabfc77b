package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;

/// Asks NVML about the fabric that a fabric manager builds across GPUs, switches and machines.
record NvmlFabric(NvmlLibrary nvml, Provenance source) {
    private static final int V3_SIZE = 40;
    private static final int V2_SIZE = 36;
    private static final int VERSION_SHIFT = 24;
    private static final int UUID_OFFSET = 4;
    private static final int UUID_LENGTH = 16;
    private static final int STATUS_OFFSET = 20;
    private static final int CLIQUE_OFFSET = 24;
    private static final int STATE_OFFSET = 28;
    private static final int COMPLETED = 3;
    private static final String FUNCTION = "nvmlDeviceGetGpuFabricInfoV";

    void read(long handle, AcceleratorProfile.Builder profile) {
        int status = ask(handle, V3_SIZE | 3 << VERSION_SHIFT);
        if (status != NvmlLibrary.SUCCESS) {
            status = ask(handle, V2_SIZE | 2 << VERSION_SHIFT);
        }
        if (status != NvmlLibrary.SUCCESS) {
            profile.with(DeviceFact.FABRIC_STATE, NvmlStatus.unknown(FUNCTION, status));
            return;
        }
        int state = nvml.byteAt(STATE_OFFSET);
        profile.with(DeviceFact.FABRIC_STATE, state(state));
        if (state == COMPLETED && nvml.intAt(STATUS_OFFSET) == NvmlLibrary.SUCCESS) {
            profile.with(
                    DeviceFact.FABRIC_DOMAIN,
                    Reading.known(cluster() + "/" + Integer.toUnsignedString(nvml.intAt(CLIQUE_OFFSET)), source));
        }
    }

    private int ask(long handle, int version) {
        nvml.clear(V3_SIZE);
        nvml.putInt(0, version);
        return nvml.call(FUNCTION, handle, nvml.address(0));
    }

    private Reading<String> state(int state) {
        return switch (state) {
            case 1 -> Reading.known("not started", source);
            case 2 -> Reading.known("in progress", source);
            case COMPLETED -> Reading.known("completed", source);
            default -> Reading.notSupported(FUNCTION + ": not part of a fabric");
        };
    }

    private String cluster() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < UUID_LENGTH; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                text.append('-');
            }
            int value = nvml.byteAt(UUID_OFFSET + i);
            text.append(Character.forDigit(value >> 4, 16)).append(Character.forDigit(value & 0xf, 16));
        }
        return text.toString();
    }
}
