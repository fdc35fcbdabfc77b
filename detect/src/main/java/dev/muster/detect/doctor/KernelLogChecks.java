// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.host.HostAnswer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks of what drivers wrote to the kernel's log.
final class KernelLogChecks {
    /// The log in memory first: it begins with the start of the machine. Files may be older, and may be missing.
    private static final List<String> LOGS =
            List.of("/dev/kmsg", "/var/log/kern.log", "/var/log/messages", "/var/log/dmesg");

    private static final int MAX_BYTES = 16 << 20;
    private static final String FAR = "see NVIDIA's list of Xid errors (docs.nvidia.com/deploy/xid-errors)";

    private KernelLogChecks() {}

    /// Xid messages of NVIDIA's driver.
    static Verdict xids(CheckContext context, int nvidia) {
        if (context.accelerators(nvidia).isEmpty()) {
            return Verdict.skip("no NVIDIA device on the PCI bus");
        }
        for (String path : LOGS) {
            if (context.host().files().read(path, MAX_BYTES) instanceof HostAnswer.Found(String log)) {
                return judge(path, XidMessage.parse(log), context);
            }
        }
        return Verdict.skip("the kernel's log cannot be read here; as root: dmesg | grep Xid");
    }

    private static Verdict judge(String path, List<XidMessage> messages, CheckContext context) {
        if (messages.isEmpty()) {
            return Verdict.pass("no Xid message in " + path);
        }
        Map<XidMessage, Integer> counts = new LinkedHashMap<>();
        messages.forEach(message -> counts.merge(message, 1, Integer::sum));
        List<String> texts = new ArrayList<>();
        List<String> next = new ArrayList<>();
        counts.forEach((message, count) -> {
            Optional<XidMeaning> meaning = XidMeaning.find(message.number());
            texts.add(name(message, context) + ": Xid " + message.number()
                    + (count == 1 ? "" : ", " + count + " times")
                    + meaning.map(known -> ", " + known.text()).orElse(""));
            String advice = meaning.map(XidMeaning::next).orElse(FAR);
            if (!next.contains(advice)) {
                next.add(advice);
            }
        });
        return Verdict.warn(RegistryChecks.named(texts) + " (" + path + ")", String.join("; ", next));
    }

    private static String name(XidMessage message, CheckContext context) {
        return context.registry().profiles().stream()
                .filter(device -> device.partition().isEmpty() && isAt(device, message.place()))
                .map(device -> device.id() + " (" + message.place() + ")")
                .findFirst()
                .orElse(message.place());
    }

    private static boolean isAt(AcceleratorProfile device, String place) {
        return device.reading(DeviceFact.PCI_ADDRESS)
                .find()
                .filter(address -> address.toString().startsWith(place + "."))
                .isPresent();
    }
}
