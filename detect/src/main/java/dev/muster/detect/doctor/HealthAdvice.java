// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Advice for unhealthy devices, by the words of the source.
final class HealthAdvice {
    static final String MISMATCH =
            "kernel module and libraries are of different releases, as after an update: reboot, or with"
                    + " no job running reload the module (modprobe -r nvidia_uvm nvidia; modprobe nvidia);"
                    + " in a container, use libraries of the host's release";

    private static final String DRAIN = "drain the device and follow the vendor's guide for this message";

    /// Advice where the fact alone decides it, after NVIDIA's *GPU Debug Guidelines* and *GPU Memory Error Management*
    /// (2026-11).
    private static final Map<DeviceFact<?>, String> BY_EVIDENCE = Map.of(
            DeviceFact.COMPUTE_MODE,
            "allow programs to compute: nvidia-smi --compute-mode=DEFAULT",
            DeviceFact.FABRIC_STATE,
            "check the fabric manager (systemctl status nvidia-fabricmanager) and the Fabric section of nvidia-smi -q;"
                    + " restart it with no job running, and have links that stay unhealthy repaired",
            DeviceFact.FABRIC_LINKS_DOWN,
            "compare nvidia-smi nvlink -s with the other GPUs and look for Xid 74 in the kernel log (dmesg); reset the"
                    + " GPUs of the fabric, and have a link that stays down repaired",
            DeviceFact.ECC_UNCORRECTED,
            "end its programs and reset it: nvidia-smi --gpu-reset; replace it if the number grows",
            DeviceFact.ROW_REMAPPING,
            "end its programs and reset it: nvidia-smi --gpu-reset; replace a GPU whose remapping failed"
                    + " (NVIDIA's GPU Memory Error Management)",
            DeviceFact.SRAM_THRESHOLD_EXCEEDED,
            "run NVIDIA's field diagnostic and have it replaced (NVIDIA's GPU Memory Error Management)",
            DeviceFact.HIDDEN_BY,
            "in a job or container this is the share it was given; elsewhere unset the variable",
            DeviceFact.THROTTLING,
            "check cooling and air flow (thermal), cables and power supply (power brake, hw slowdown)");

    private HealthAdvice() {}

    static boolean isMismatch(String words) {
        return words.toLowerCase(Locale.ROOT).contains("version mismatch");
    }

    /// One sentence for each kind of trouble.
    static String of(List<DeviceUsability.Reason> reasons) {
        List<String> advice = new ArrayList<>();
        for (DeviceUsability.Reason reason : reasons) {
            Optional<String> known = reason.evidence().map(BY_EVIDENCE::get);
            String next = known.orElseGet(() -> of(reason.words().toLowerCase(Locale.ROOT)));
            if (!advice.contains(next)) {
                advice.add(next);
            }
        }
        return String.join("; ", advice);
    }

    private static String of(String words) {
        if (isMismatch(words)) {
            return MISMATCH;
        }
        if (words.contains("no driver") || words.contains("does not serve it") || words.contains("bound to")) {
            return "install the vendor's driver, or load and bind it (see the check of the vendor's driver)";
        }
        if (words.contains("fabric")) {
            return "check the fabric manager: systemctl status nvidia-fabricmanager";
        }
        if (words.contains("lost") || words.contains("cannot reach") || words.contains("does not report")) {
            return "check the kernel log for Xid messages (dmesg), then reset or reboot; reseat or replace it if it is lost"
                    + " again";
        }
        if (words.contains("reset")) {
            return "end its programs and reset it: nvidia-smi --gpu-reset, or reboot";
        }
        if (words.contains("permission") || words.contains("not permitted")) {
            return "run as a user who may open the device: its nodes' group is often video or render"
                    + " (ls -l /dev/nvidia* /dev/kfd /dev/dri)";
        }
        if (words.contains("unknown error")) {
            return "in a container, restart it: NVML reports this after the container lost its device nodes, as by"
                    + " systemctl daemon-reload; elsewhere check the kernel log: dmesg";
        }
        if (words.contains("timed out") || words.contains("not answer in time")) {
            return "check the kernel log for a hung driver (dmesg); if it is only slow, give detection more time";
        }
        if (words.contains("/dev/nvidia")) {
            return "start the container with the GPUs: --gpus all, or by CDI --device nvidia.com/gpu=all";
        }
        if (words.contains("/dev/kfd")) {
            return "pass the device nodes to the container: --device /dev/kfd --device /dev/dri";
        }
        return DRAIN;
    }
}
