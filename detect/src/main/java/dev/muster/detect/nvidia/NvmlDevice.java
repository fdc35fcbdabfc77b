// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.probe.PciDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Questions to NVML about one GPU or one MIG device. Confined to one thread.
///
/// Offsets and version words are those of nvml.h (driver 580), measured on x86-64.
record NvmlDevice(NvmlLibrary nvml, long handle, Provenance source) {
    private static final int MEMORY_V2_SIZE = 40;
    private static final int VERSION_SHIFT = 24;
    private static final int PROCESS_SIZE = 24;
    private static final int MAX_PROCESSES = 1024;
    /// `nvmlProcessUtilizationSample_t`: process, time, shares of multiprocessors, memory, encoder and decoder.
    private static final int UTILIZATION_SIZE = 32;

    private static final int UTILIZATION_TIME = 8;
    private static final int UTILIZATION_SHARE = 16;
    private static final double PERCENT = 100.0;
    private static final int PROCESSES_AT = 64;
    private static final int BUS_ID_OFFSET = 36;
    private static final int BUS_ID_LENGTH = 32;
    private static final int PCI_ID_OFFSET = 28;
    private static final int LOW_HALF = 0xffff;
    private static final int HALF = 16;
    private static final double MILLI = 1000.0;
    private static final long UNKNOWN_AMOUNT = -1L;

    static final int NVLINK_SPEED = 164;
    private static final int MEMORY_TEMPERATURE = 82;
    /// For values that do not depend on a link.
    private static final int NO_SCOPE = 0;

    private static final int FIELD_SIZE = 40;
    private static final int FIELD_SCOPE = 4;
    private static final int FIELD_TYPE = 24;
    private static final int FIELD_STATUS = 28;
    private static final int FIELD_VALUE = 32;
    private static final int UNSIGNED_INT = 1;

    /// A text of at most so many bytes.
    Reading<String> text(String function, int longest) {
        int status = nvml.call(function, handle, nvml.address(0), longest);
        if (status != NvmlLibrary.SUCCESS) {
            return NvmlStatus.unknown(function, status);
        }
        String text = nvml.textAt(0, longest).strip();
        return text.isEmpty() || text.equals("N/A")
                ? Reading.notSupported(function + ": no answer")
                : Reading.known(text, source);
    }

    /// A 32-bit number.
    Reading<Long> number(String function) {
        return nvml.ask(source, function, this::word, handle, nvml.address(0));
    }

    /// A 32-bit number that depends on a selector.
    Reading<Long> number(String function, long selector) {
        return nvml.ask(source, function, this::word, handle, selector, nvml.address(0));
    }

    /// A 32-bit number that stays what it is while the driver is loaded. It is asked for once in a session, since some
    /// of
    /// them take a millisecond or more, every second while a host is watched.
    Reading<Long> steady(String function) {
        return NvmlSession.once(function + handle, () -> number(function));
    }

    /// Such a number that depends on a selector.
    Reading<Long> steady(String function, long selector) {
        return NvmlSession.once(function + handle + "," + selector, () -> number(function, selector));
    }

    private long word() {
        return Integer.toUnsignedLong(nvml.intAt(0));
    }

    Reading<Watts> milliwatts(String function) {
        return number(function).map(value -> new Watts(value / MILLI));
    }

    Reading<Hertz> megahertz(String function, long clock) {
        return number(function, clock).map(Hertz::ofMegahertz);
    }

    Reading<Celsius> temperature() {
        return number("nvmlDeviceGetTemperature", 0).map(Celsius::new);
    }

    /// Boards without a sensor at their memory say zero, which no memory at work has.
    Reading<Celsius> memoryTemperature() {
        long degrees = fields(MEMORY_TEMPERATURE, List.of(NO_SCOPE))[0];
        return degrees > 0
                ? Reading.known(new Celsius(degrees), source)
                : Reading.notSupported("NVML does not report the memory's temperature");
    }

    /// One of NVML's numbered values of 32 bits for several links, asked in one call; 0 where the driver does not tell
    /// it.
    long[] fields(int id, List<Integer> links) {
        nvml.clear(links.size() * FIELD_SIZE);
        for (int i = 0; i < links.size(); i++) {
            nvml.putInt(i * FIELD_SIZE, id);
            nvml.putInt(i * FIELD_SIZE + FIELD_SCOPE, links.get(i));
        }
        int status = nvml.call("nvmlDeviceGetFieldValues", handle, links.size(), nvml.address(0));
        long[] values = new long[links.size()];
        for (int i = 0; i < values.length && status == NvmlLibrary.SUCCESS; i++) {
            boolean told = nvml.intAt(i * FIELD_SIZE + FIELD_STATUS) == NvmlLibrary.SUCCESS;
            values[i] = told ? Integer.toUnsignedLong(nvml.intAt(i * FIELD_SIZE + FIELD_VALUE)) : 0;
        }
        return values;
    }

    /// Some of NVML's numbered counters, asked in one call; negative where the driver does not tell one.
    ///
    /// @param scope the number of the link, or -1 for all together
    long[] counters(int[] ids, int scope) {
        nvml.clear(ids.length * FIELD_SIZE);
        for (int i = 0; i < ids.length; i++) {
            nvml.putInt(i * FIELD_SIZE, ids[i]);
            nvml.putInt(i * FIELD_SIZE + FIELD_SCOPE, scope);
        }
        int status = nvml.call("nvmlDeviceGetFieldValues", handle, ids.length, nvml.address(0));
        long[] counters = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            int at = i * FIELD_SIZE;
            boolean told = status == NvmlLibrary.SUCCESS && nvml.intAt(at + FIELD_STATUS) == NvmlLibrary.SUCCESS;
            counters[i] = told ? counter(at) : UNKNOWN_AMOUNT;
        }
        return counters;
    }

    /// The driver says which form a value has: of those that it counts in, one has 32 bits.
    private long counter(int at) {
        return nvml.intAt(at + FIELD_TYPE) == UNSIGNED_INT
                ? Integer.toUnsignedLong(nvml.intAt(at + FIELD_VALUE))
                : nvml.longAt(at + FIELD_VALUE);
    }

    /// A mode that is on or off now.
    Reading<Boolean> isOn(String function) {
        long second = nvml.address(Integer.BYTES);
        return nvml.ask(source, function, () -> nvml.intAt(0) == 1, handle, nvml.address(0), second);
    }

    /// Errors of one kind since the driver started.
    Reading<Long> eccErrors(int kind) {
        return eccErrors(kind, 0);
    }

    /// Errors of one kind since the device was made.
    Reading<Long> eccErrorsOfLife(int kind) {
        return eccErrors(kind, 1);
    }

    private Reading<Long> eccErrors(int kind, int counter) {
        String function = "nvmlDeviceGetTotalEccErrors";
        int status = nvml.call(function, handle, kind, counter, nvml.address(0));
        return status == NvmlLibrary.SUCCESS && nvml.longAt(0) >= 0
                ? Reading.known(nvml.longAt(0), source)
                : NvmlStatus.unknown(function, status);
    }

    /// Returns the virtualization mode, in the words of `nvidia-smi`.
    Reading<String> virtualization() {
        return number("nvmlDeviceGetVirtualizationMode").map(NvmlDevice::virtualizationMode);
    }

    private static String virtualizationMode(long number) {
        return switch ((int) number) {
            case 0 -> "none";
            case 1 -> "pass-through";
            case 2 -> "vgpu";
            case 3 -> "host vgpu";
            case 4 -> "host vsga";
            default -> "mode " + number;
        };
    }

    /// Returns the throttle reasons; drivers before 535 have only the older name of the query.
    Reading<String> throttling() {
        Reading<String> reasons = throttling("nvmlDeviceGetCurrentClocksEventReasons");
        return reasons.isKnown() ? reasons : throttling("nvmlDeviceGetCurrentClocksThrottleReasons");
    }

    private Reading<String> throttling(String function) {
        return nvml.ask(source, function, () -> nvml.longAt(0), handle, nvml.address(0))
                .map(mask -> NvidiaThrottling.text(mask));
    }

    /// Share of the last second in which the device was busy, in percent.
    Reading<Long> utilization() {
        return number("nvmlDeviceGetUtilizationRates");
    }

    Reading<String> computeCapability() {
        String function = "nvmlDeviceGetCudaComputeCapability";
        long minor = nvml.address(Integer.BYTES);
        return nvml.ask(
                source,
                function,
                () -> nvml.intAt(0) + "." + nvml.intAt(Integer.BYTES),
                handle,
                nvml.address(0),
                minor);
    }

    /// Memory with the reserved part where the driver tells it.
    Memory memory() {
        String function = "nvmlDeviceGetMemoryInfo_v2";
        nvml.putInt(0, MEMORY_V2_SIZE | 2 << VERSION_SHIFT);
        int status = nvml.call(function, handle, nvml.address(0));
        if (status == NvmlLibrary.SUCCESS) {
            return new Memory(bytes(8), bytes(16), bytes(24), bytes(32));
        }
        if (status != NvmlLibrary.FUNCTION_NOT_FOUND) {
            return Memory.unknown(function, status);
        }
        String older = "nvmlDeviceGetMemoryInfo";
        int olderStatus = nvml.call(older, handle, nvml.address(0));
        return olderStatus == NvmlLibrary.SUCCESS
                ? new Memory(bytes(0), NvmlStatus.unknown(function, status), bytes(8), bytes(16))
                : Memory.unknown(older, olderStatus);
    }

    private Reading<Bytes> bytes(int offset) {
        return Reading.known(new Bytes(nvml.longAt(offset)), source);
    }

    /// The address and ids of the device on the PCI bus.
    Pci pci() {
        String function = "nvmlDeviceGetPciInfo_v3";
        int status = nvml.call(function, handle, nvml.address(0));
        if (status != NvmlLibrary.SUCCESS) {
            return new Pci(NvmlStatus.unknown(function, status), NvmlStatus.unknown(function, status));
        }
        String busId = nvml.textAt(BUS_ID_OFFSET, BUS_ID_LENGTH);
        Optional<PciAddress> address = PciAddress.find(busId);
        int ids = nvml.intAt(PCI_ID_OFFSET);
        String id = PciDevice.id(ids & LOW_HALF, ids >>> HALF);
        return new Pci(
                address.isPresent()
                        ? Reading.known(address.get(), source)
                        : Reading.unknown(UnknownReason.UNREADABLE, function + " reports '" + busId + "'"),
                Reading.known(id, source));
    }

    /// The programs that compute on the device.
    Reading<ProcessList> processes() {
        String function = "nvmlDeviceGetComputeRunningProcesses_v3";
        nvml.putInt(0, MAX_PROCESSES);
        int status = nvml.call(function, handle, nvml.address(0), nvml.address(PROCESSES_AT));
        if (status != NvmlLibrary.SUCCESS) {
            return NvmlStatus.unknown(function, status);
        }
        List<DeviceProcess> processes = new ArrayList<>();
        int count = Math.min(nvml.intAt(0), MAX_PROCESSES);
        for (int i = 0; i < count; i++) {
            int at = PROCESSES_AT + i * PROCESS_SIZE;
            long memory = nvml.longAt(at + 8);
            processes.add(new DeviceProcess(
                    Integer.toUnsignedLong(nvml.intAt(at)), null, memory == UNKNOWN_AMOUNT ? null : new Bytes(memory)));
        }
        return Reading.known(new ProcessList(processes), source);
    }

    /// The same with how much of the device each uses, as the driver sampled it in the last second or so.
    Reading<ProcessList> processesWithLoad() {
        return processes().map(list -> {
            Map<Long, Ratio> loads = list.processes().isEmpty() ? Map.of() : loads();
            List<DeviceProcess> loaded = new ArrayList<>();
            for (DeviceProcess each : list.processes()) {
                loaded.add(new DeviceProcess(each.pid(), each.name(), each.memory(), loads.get(each.pid())));
            }
            return new ProcessList(loaded);
        });
    }

    /// The newest share of the multiprocessors' time by process. What the driver sampled idle is left out there.
    private Map<Long, Ratio> loads() {
        Map<Long, Ratio> loads = new HashMap<>();
        Map<Long, Long> times = new HashMap<>();
        nvml.putInt(0, MAX_PROCESSES);
        int status =
                nvml.call("nvmlDeviceGetProcessUtilization", handle, nvml.address(PROCESSES_AT), nvml.address(0), 0);
        int count = status == NvmlLibrary.SUCCESS ? Math.min(nvml.intAt(0), MAX_PROCESSES) : 0;
        for (int i = 0; i < count; i++) {
            int at = PROCESSES_AT + i * UTILIZATION_SIZE;
            long pid = Integer.toUnsignedLong(nvml.intAt(at));
            long time = nvml.longAt(at + UTILIZATION_TIME);
            long percent = Integer.toUnsignedLong(nvml.intAt(at + UTILIZATION_SHARE));
            if (time > times.getOrDefault(pid, 0L) && percent <= PERCENT) {
                times.put(pid, time);
                loads.put(pid, new Ratio(percent / PERCENT));
            }
        }
        return loads;
    }

    /// Device memory.
    ///
    /// @param total all of it
    /// @param reserved memory reserved by the driver
    /// @param free free memory
    /// @param used used memory
    record Memory(Reading<Bytes> total, Reading<Bytes> reserved, Reading<Bytes> free, Reading<Bytes> used) {
        static Memory unknown(String function, int status) {
            Reading<Bytes> unknown = NvmlStatus.unknown(function, status);
            return new Memory(unknown, unknown, unknown, unknown);
        }
    }

    /// Place and identity on the PCI bus.
    ///
    /// @param address PCI address
    /// @param id vendor and device, such as `10de:2335`
    record Pci(Reading<PciAddress> address, Reading<String> id) {}
}
