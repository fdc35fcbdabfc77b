package dev.muster.detect.vulkan;

/// Which drivers of graphics cards concern this backend.
final class CardDrivers {
    private CardDrivers() {}

    /// Whether a backend of its own finds the cards of a driver.
    static boolean isServed(String driver) {
        return switch (driver) {
            case "nvidia", "amdgpu", "i915", "xe" -> true;
            default -> false;
        };
    }

    /// Whether a card only shows pictures: adapters of virtual machines and of remote-management chips. Where no driver
    /// is bound, the vendor tells.
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
