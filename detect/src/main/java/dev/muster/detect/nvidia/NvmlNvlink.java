package dev.muster.detect.nvidia;

import dev.muster.core.PciAddress;
import java.util.ArrayList;
import java.util.List;
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
    /// @param toSwitch whether it leads to a switch
    /// @param remote the PCI address of its far end, if the driver tells
    record ActiveLink(double gigabytesPerSecond, boolean toSwitch, Optional<PciAddress> remote) {}

    /// The links that are up.
    static List<ActiveLink> list(NvmlLibrary nvml, NvmlDevice device) {
        long handle = device.handle();
        List<ActiveLink> links = new ArrayList<>();
        for (int link = 0; link < MAX_LINKS; link++) {
            int status = nvml.call("nvmlDeviceGetNvLinkState", handle, link, nvml.address(0));
            if (status != NvmlLibrary.SUCCESS) {
                // Not supported, or no such link: there are no further ones.
                break;
            }
            if (nvml.intAt(0) == ACTIVE) {
                links.add(new ActiveLink(
                        device.field(NvmlDevice.NVLINK_SPEED, link) / MEGA_PER_GIGA,
                        leadsToSwitch(nvml, handle, link),
                        remote(nvml, handle, link)));
            }
        }
        return links;
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
}
