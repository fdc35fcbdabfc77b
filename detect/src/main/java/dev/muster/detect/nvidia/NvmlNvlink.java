// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks NVML about the NVLinks of a GPU: which are up, how fast they are and where they lead.
final class NvmlNvlink {
    private static final int MAX_LINKS = 18;
    private static final int ACTIVE = 1;
    private static final int BUS_ID_OFFSET = 36;
    private static final int BUS_ID_LENGTH = 32;
    private static final int DEVICE_TYPE_SWITCH = 2;
    private static final double MEGA_PER_GIGA = 1000.0;

    private NvmlNvlink() {}

    /// One link that is up.
    ///
    /// @param gigabytesPerSecond its rate one way; 0 where the driver does not tell
    /// @param toSwitch true if it leads to a switch
    /// @param remote the PCI address of its far end, if the driver tells; not asked of a link to a switch
    record ActiveLink(double gigabytesPerSecond, boolean toSwitch, Optional<PciAddress> remote) {}

    /// The links of a GPU.
    ///
    /// @param active those that are up
    /// @param inactive number of the others
    record Links(List<ActiveLink> active, int inactive) {
        Links {
            active = List.copyOf(active);
        }
    }

    /// Asks for all links. Their rates come in one answer, and only links that lead to no switch need their far end:
    /// each question takes the driver as long as it takes to make something of ten answers.
    static Links list(NvmlLibrary nvml, NvmlDevice device) {
        long handle = device.handle();
        List<Integer> up = new ArrayList<>();
        int inactive = 0;
        for (int link = 0; link < MAX_LINKS; link++) {
            int status = nvml.call("nvmlDeviceGetNvLinkState", handle, link, nvml.address(0));
            if (status != NvmlLibrary.SUCCESS) {
                // Not supported, or the link does not exist: this was the last one.
                break;
            }
            if (nvml.intAt(0) == ACTIVE) {
                up.add(link);
            } else {
                inactive++;
            }
        }
        long[] rates = up.isEmpty() ? new long[0] : device.fields(NvmlDevice.NVLINK_SPEED, up);
        List<ActiveLink> links = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            boolean toSwitch = leadsToSwitch(nvml, handle, up.get(i));
            Optional<PciAddress> remote = toSwitch ? Optional.empty() : remote(nvml, handle, up.get(i));
            links.add(new ActiveLink(rates[i] / MEGA_PER_GIGA, toSwitch, remote));
        }
        return new Links(links, inactive);
    }

    private static boolean leadsToSwitch(NvmlLibrary nvml, long handle, int link) {
        int status = nvml.call("nvmlDeviceGetNvLinkRemoteDeviceType", handle, link, nvml.address(0));
        return status == NvmlLibrary.SUCCESS && nvml.intAt(0) == DEVICE_TYPE_SWITCH;
    }

    private static Optional<PciAddress> remote(NvmlLibrary nvml, long handle, int link) {
        int status = nvml.call("nvmlDeviceGetNvLinkRemotePciInfo_v2", handle, link, nvml.address(0));
        return status == NvmlLibrary.SUCCESS
                ? PciAddress.find(nvml.textAt(BUS_ID_OFFSET, BUS_ID_LENGTH))
                : Optional.empty();
    }

    /// The matrix of GPUs, out of where each link leads: to another GPU, or to a switch through which all GPUs with
    /// such links reach each other. Not told where no link is up.
    ///
    /// @param profiles the GPUs and their partitions
    /// @param links the links that are up, by the GPU's number
    static NvidiaTopology topology(List<AcceleratorProfile> profiles, Map<Integer, List<ActiveLink>> links) {
        Map<PciAddress, Integer> numbers = new HashMap<>();
        for (AcceleratorProfile profile : profiles) {
            Optional<PciAddress> address =
                    profile.reading(DeviceFact.PCI_ADDRESS).find();
            if (profile.partition().isEmpty() && address.isPresent()) {
                numbers.put(address.get(), (int) profile.accelerator().deviceId());
            }
        }
        List<NvidiaTopology.Row> rows = new ArrayList<>();
        for (Map.Entry<Integer, List<ActiveLink>> own : links.entrySet()) {
            if (!own.getValue().isEmpty()) {
                rows.add(row(own.getKey(), links, numbers));
            }
        }
        return rows.isEmpty() ? NvidiaTopology.UNKNOWN : new NvidiaTopology(rows);
    }

    private static NvidiaTopology.Row row(
            int gpu, Map<Integer, List<ActiveLink>> links, Map<PciAddress, Integer> numbers) {
        Map<String, NvidiaTopology.Path> paths = new HashMap<>();
        for (int other : links.keySet()) {
            int lanes = direct(links.getOrDefault(gpu, List.of()), numbers, other)
                    + Math.min(
                            switched(links.getOrDefault(gpu, List.of())),
                            switched(links.getOrDefault(other, List.of())));
            if (other != gpu && lanes > 0) {
                paths.put("GPU" + other, NvidiaTopology.Path.nvlinks(lanes));
            }
        }
        return new NvidiaTopology.Row("GPU" + gpu, paths, "");
    }

    private static int direct(List<ActiveLink> links, Map<PciAddress, Integer> numbers, int other) {
        int count = 0;
        for (ActiveLink link : links) {
            boolean leadsThere = link.remote()
                    .map(numbers::get)
                    .filter(number -> number == other)
                    .isPresent();
            count += !link.toSwitch() && leadsThere ? 1 : 0;
        }
        return count;
    }

    private static int switched(List<ActiveLink> links) {
        int count = 0;
        for (ActiveLink link : links) {
            count += link.toSwitch() ? 1 : 0;
        }
        return count;
    }
}
