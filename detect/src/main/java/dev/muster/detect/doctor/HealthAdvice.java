// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Advice for unhealthy devices, by the words of the source.
final class HealthAdvice {
    static final String MISMATCH =
            "kernel module and libraries are of different releases, as after an update: reboot, or with"
                    + " no job running reload the module (modprobe -r nvidia_uvm nvidia; modprobe nvidia);"
                    + " in a container, use libraries of the host's release";

    private static final String DRAIN = "drain the device and follow the vendor's guide for this message";

    private HealthAdvice() {}

    static boolean isMismatch(String words) {
        return words.toLowerCase(Locale.ROOT).contains("version mismatch");
    }

    /// One sentence for each kind of trouble.
    static String of(List<String> complaints) {
        List<String> advice = new ArrayList<>();
        for (String words : complaints) {
            String next = of(words.toLowerCase(Locale.ROOT));
            if (!advice.contains(next)) {
                advice.add(next);
            }
        }
        return advice.isEmpty() ? "check the kernel log: dmesg" : String.join("; ", advice);
    }

    private static String of(String words) {
        if (isMismatch(words)) {
            return MISMATCH;
        }
        if (words.contains("no driver") || words.contains("does not serve it") || words.startsWith("bound to")) {
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
        if (words.contains("/dev/kfd")) {
            return "pass the device nodes to the container: --device /dev/kfd --device /dev/dri";
        }
        return DRAIN;
    }
}
