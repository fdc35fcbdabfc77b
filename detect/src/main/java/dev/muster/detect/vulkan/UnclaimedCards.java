// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.pci.DrmCard;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.List;

/// Graphics cards that the kernel lists and no backend of their own serves.
final class UnclaimedCards {
    private UnclaimedCards() {}

    static List<DrmCard> list(HostFiles files) {
        return DrmCard.list(files).stream()
                .filter(card -> !isServed(card.driver()))
                .filter(card -> !isNoGpu(card.driver(), card.vendor()))
                .toList();
    }

    /// Adds the cards that the report does not have yet.
    static void add(ProbeContext context, ProbeReport.ReportBuilder report) {
        List<AcceleratorProfile> known = new ArrayList<>(report.profiles());
        for (DrmCard card : list(context.files())) {
            AcceleratorProfile profile = profile(context, card, report);
            if (!known.removeIf(other -> isSame(other, profile))) {
                report.add(profile);
            }
        }
    }

    private static boolean isSame(AcceleratorProfile told, AcceleratorProfile card) {
        Reading<?> place = told.reading(DeviceFact.PCI_ADDRESS);
        return place.isKnown()
                ? place.find().equals(card.reading(DeviceFact.PCI_ADDRESS).find())
                : told.reading(DeviceFact.PCI_ID)
                        .find()
                        .equals(card.reading(DeviceFact.PCI_ID).find());
    }

    private static AcceleratorProfile profile(ProbeContext context, DrmCard card, ProbeReport.ReportBuilder report) {
        AttributeFolder device = context.folder(card.deviceFolder(), report::add);
        long number = report.profiles().size();
        AcceleratorProfile.ProfileBuilder profile =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.VULKAN_GPU, number));
        Reading<Bytes> memory = device.bytes("mem_info_vram_total");
        profile.with(
                DeviceFact.MEMORY,
                memory.matches(size -> !size.isZero()) ? memory : Reading.notSupported("no driver reports it"));
        profile.with(DeviceFact.PCI_ID, Reading.known(card.id(), device.source("device")));
        card.findAddress()
                .ifPresent(address ->
                        profile.with(DeviceFact.PCI_ADDRESS, Reading.known(address, device.source("uevent"))));
        if (!card.driver().isEmpty()) {
            profile.with(DeviceFact.KERNEL_DRIVER, Reading.known(card.driver(), device.source("driver")));
        }
        return profile.build();
    }

    /// Reports whether a backend of its own finds the cards of a driver.
    static boolean isServed(String driver) {
        return switch (driver) {
            case "nvidia", "amdgpu", "i915", "xe" -> true;
            default -> false;
        };
    }

    /// Reports whether a card only shows pictures: adapters of virtual machines and of remote-management chips. If no
    /// driver is bound, the vendor decides.
    static boolean isNoGpu(String driver, int vendor) {
        return switch (driver) {
            case "virtio-pci",
                    "virtio_gpu",
                    "qxl",
                    "bochs-drm",
                    "bochs",
                    "vmwgfx",
                    "ast",
                    "mgag200",
                    "cirrus",
                    "cirrus-qemu",
                    "hyperv_drm",
                    "hyperv_fb",
                    "vboxvideo",
                    "simple-framebuffer",
                    "simpledrm",
                    "efifb",
                    "vfio-pci" -> true;
            default -> isPictureVendor(vendor);
        };
    }

    private static boolean isPictureVendor(int vendor) {
        return switch (vendor) {
            // Red Hat's virtio and QXL, Bochs, VMware, Aspeed, Matrox, Cirrus, Hyper-V, VirtualBox.
            case 0x1af4, 0x1b36, 0x1234, 0x15ad, 0x1a03, 0x102b, 0x1013, 0x1414, 0x80ee -> true;
            default -> false;
        };
    }
}
