// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.pci.DeviceMemoryNodes;
import dev.muster.detect.pci.PcieRate;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.MeminfoParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The GPUs that the kernel knows: those on the PCI bus, and those that the driver lists below `/proc`. Neither tells
/// how much memory they have.
///
/// @param gaps told of each file that could not be read
record NvidiaKernel(ProbeContext context, Consumer<Gap> gaps) {
    static final String GPUS = "/proc/driver/nvidia/gpus";

    private static final String VERSION = "/proc/driver/nvidia/version";
    private static final int VENDOR = 0x10de;
    private static final int MAX_FILE = 16 << 10;

    /// Reports whether a PCI function is a GPU: sound, USB and switch functions of the same vendor are not.
    static boolean isGpu(PciDevice device) {
        return device.vendor() == VENDOR && device.isDisplay();
    }

    /// The GPUs by address; their numbers mean nothing yet.
    List<AcceleratorProfile> list() {
        List<AcceleratorProfile> found = new ArrayList<>();
        List<PciAddress> seen = new ArrayList<>();
        for (PciDevice device : context.pci().devices()) {
            if (isGpu(device)) {
                seen.add(device.address());
                found.add(describe(device.address(), Optional.of(device)));
            }
        }
        for (String name : context.files().names(GPUS)) {
            PciAddress.find(name)
                    .filter(address -> !seen.contains(address))
                    .ifPresent(address -> found.add(describe(address, Optional.empty())));
        }
        return found.subList(0, Math.min(found.size(), NvidiaSmiLog.MAX_GPUS));
    }

    private AcceleratorProfile describe(PciAddress address, Optional<PciDevice> pci) {
        AcceleratorProfile.ProfileBuilder device =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0));
        device.with(DeviceFact.MEMORY, Reading.notSupported("the kernel does not report the memory of this GPU"));
        String place = pci.isPresent() ? pci.get().folder() : GPUS + "/" + address;
        device.with(DeviceFact.PCI_ADDRESS, Reading.known(address, context.fromFile(place)));
        pci.ifPresent(function -> addBus(device, function));
        addDriver(device, address);
        addCoherentMemory(device, address);
        if (pci.isPresent()) {
            addName(device, pci.get().id());
        }
        return device.build();
    }

    private static void addName(AcceleratorProfile.ProfileBuilder device, String pciId) {
        Optional<String> name = NvidiaModels.find(pciId);
        if (name.isPresent() && !device.build().deviceName().isKnown()) {
            device.with(DeviceFact.DEVICE_NAME, Reading.known(name.get(), ProbeContext.fromCatalogue("PCI ids")));
        }
    }

    private void addBus(AcceleratorProfile.ProfileBuilder device, PciDevice function) {
        AttributeFolder folder = context.folder(function.folder(), gaps);
        device.with(DeviceFact.PCI_ID, Reading.known(function.id(), folder.source("uevent")));
        device.with(
                DeviceFact.KERNEL_DRIVER,
                function.driver().isEmpty()
                        ? Reading.notSupported("no driver is bound")
                        : Reading.known(function.driver(), folder.source("uevent")));
        device.with(DeviceFact.NUMA_NODE, folder.node("numa_node"));
        // What the device could do at most also depends on the slot, which is not seen here.
        device.with(DeviceFact.PCIE_GENERATION, folder.reading("current_link_speed", PcieRate::parseGeneration));
        device.with(DeviceFact.PCIE_WIDTH, folder.reading("current_link_width", PcieRate::parseWidth));
    }

    /// The host memory that a GPU reaches over a coherent link, as in Grace Hopper. The driver says that there is such
    /// a link by making the GPU's memory a NUMA node; how much memory the processor beside it has, the kernel says.
    private void addCoherentMemory(AcceleratorProfile.ProfileBuilder device, PciAddress address) {
        if (DeviceMemoryNodes.findNode(context.files(), address).isEmpty()) {
            return;
        }
        Optional<Long> near = context.folder(PciInventory.FOLDER + "/" + address, gaps)
                .node("numa_node")
                .find();
        String meminfo = "/sys/devices/system/node/node" + near.orElse(0L) + "/meminfo";
        if (near.isPresent() && context.files().read(meminfo, MAX_FILE) instanceof HostAnswer.Found(String memory)) {
            MeminfoParser.find(memory, "MemTotal")
                    .ifPresent(total ->
                            device.with(DeviceFact.MEMORY_SHARED, Reading.known(total, context.fromFile(meminfo))));
        }
    }

    private void addDriver(AcceleratorProfile.ProfileBuilder device, PciAddress address) {
        String path = GPUS + "/" + address + "/information";
        if (!(context.files().read(path, MAX_FILE) instanceof HostAnswer.Found(String text))) {
            return;
        }
        device.with(DeviceFact.DEVICE_NAME, value(path, text, "Model").deviceName());
        device.with(DeviceFact.UUID, value(path, text, "GPU UUID").text());
        device.with(DeviceFact.FIRMWARE_VERSION, value(path, text, "Video BIOS").capitals());
        if (NvidiaProcParser.value(text, "GPU Excluded").equals("Yes")) {
            device.available(false)
                    .with(
                            DeviceFact.HEALTH,
                            Reading.known("the driver is configured to ignore it", context.fromFile(path)));
        }
        context.files()
                .findText(VERSION, MAX_FILE)
                .flatMap(NvidiaProcParser::findDriverVersion)
                .ifPresent(found ->
                        device.with(DeviceFact.DRIVER_VERSION, Reading.known(found, context.fromFile(VERSION))));
    }

    private NvidiaValue value(String path, String text, String key) {
        return new NvidiaValue(NvidiaProcParser.value(text, key), context.fromFile(path));
    }
}
