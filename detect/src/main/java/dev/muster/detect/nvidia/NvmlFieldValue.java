package dev.muster.detect.nvidia;

import java.util.OptionalLong;

/// Asks NVML for one of its numbered values. Ids and offsets are those of nvml.h (driver 580).
final class NvmlFieldValue {
    static final int MEMORY_TEMPERATURE = 82;
    static final int NVLINK_SPEED = 164;
    /// For values that do not depend on a link.
    static final int NO_SCOPE = 0;

    private static final int SIZE = 40;
    private static final int SCOPE_OFFSET = 4;
    private static final int STATUS_OFFSET = 28;
    private static final int VALUE_OFFSET = 32;

    private NvmlFieldValue() {}

    /// A 32-bit value, if the driver tells it.
    ///
    /// @param scope the number of the link, or [#NO_SCOPE]
    static OptionalLong find(NvmlLibrary nvml, long handle, int id, int scope) {
        nvml.clear(SIZE);
        nvml.putInt(0, id);
        nvml.putInt(SCOPE_OFFSET, scope);
        int status = nvml.call("nvmlDeviceGetFieldValues", handle, 1, nvml.address(0));
        boolean told = status == NvmlLibrary.SUCCESS && nvml.intAt(STATUS_OFFSET) == NvmlLibrary.SUCCESS;
        return told ? OptionalLong.of(Integer.toUnsignedLong(nvml.intAt(VALUE_OFFSET))) : OptionalLong.empty();
    }
}
