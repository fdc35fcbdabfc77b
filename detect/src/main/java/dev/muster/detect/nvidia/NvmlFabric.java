// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.util.ArrayList;
import java.util.List;

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
    private static final int HEALTH_OFFSET = 32;
    private static final int SUMMARY_OFFSET = 36;
    private static final int ANSWER = 3;
    private static final int YES = 1;
    /// In the order of the mask `NVML_GPU_FABRIC_HEALTH_MASK_…` of nvml.h (driver 580); not seen on hardware.
    private static final List<String> HEALTH_QUESTIONS =
            List.of("bandwidth degraded", "route recovery in progress", "route unhealthy", "access timeout recovery");

    private static final List<String> SUMMARIES = List.of("", "healthy", "unhealthy", "limited capacity");
    private static final int COMPLETED = 3;
    private static final String FUNCTION = "nvmlDeviceGetGpuFabricInfoV";

    void read(long handle, AcceleratorProfile.ProfileBuilder profile) {
        int status = ask(handle, V3_SIZE | 3 << VERSION_SHIFT);
        boolean hasSummary = status == NvmlLibrary.SUCCESS;
        if (!hasSummary) {
            status = ask(handle, V2_SIZE | 2 << VERSION_SHIFT);
        }
        if (status != NvmlLibrary.SUCCESS) {
            profile.with(DeviceFact.FABRIC_STATE, NvmlStatus.unknown(FUNCTION, status));
            return;
        }
        int state = nvml.byteAt(STATE_OFFSET);
        NvidiaFabricHealth health = health(hasSummary);
        profile.with(DeviceFact.FABRIC_STATE, health.describe(state(state)));
        profile.with(DeviceFact.HEALTH, health.judge(Reading.known("ok", source)));
        if (state == COMPLETED && nvml.intAt(STATUS_OFFSET) == NvmlLibrary.SUCCESS) {
            profile.with(
                    DeviceFact.FABRIC_DOMAIN,
                    Reading.known(cluster() + "/" + Integer.toUnsignedString(nvml.intAt(CLIQUE_OFFSET)), source));
        }
    }

    /// The mask has two bits for each question, of which 1 means yes; the summary came with version 3.
    private NvidiaFabricHealth health(boolean hasSummary) {
        int mask = nvml.intAt(HEALTH_OFFSET);
        List<String> troubles = new ArrayList<>();
        for (int i = 0; i < HEALTH_QUESTIONS.size(); i++) {
            if (((mask >>> (2 * i)) & ANSWER) == YES) {
                troubles.add(HEALTH_QUESTIONS.get(i));
            }
        }
        int summary = hasSummary ? nvml.byteAt(SUMMARY_OFFSET) : 0;
        return new NvidiaFabricHealth(
                summary > 0 && summary < SUMMARIES.size() ? SUMMARIES.get(summary) : "", troubles);
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
