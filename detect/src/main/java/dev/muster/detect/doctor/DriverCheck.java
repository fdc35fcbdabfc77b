package dev.muster.detect.doctor;

import dev.muster.detect.doctor.Check.Verdict;
import dev.muster.detect.probe.PciDevice;
import java.util.List;

/// Whether the kernel's driver serves every device of a vendor.
///
/// @param id the check's name
/// @param vendor the vendor's PCI id
/// @param name the vendor's name
/// @param drivers the drivers that can compute
/// @param load the command that loads one
record DriverCheck(String id, int vendor, String name, List<String> drivers, String load) {
    private static final String PASSED_THROUGH = "vfio-pci";

    Verdict examine(Patient patient) {
        List<PciDevice> devices = patient.accelerators(vendor);
        if (devices.isEmpty()) {
            return Verdict.skip("no " + name + " device on the PCI bus");
        }
        List<PciDevice> idle = devices.stream()
                .filter(device -> !drivers.contains(device.driver()))
                .toList();
        if (idle.isEmpty()) {
            return Verdict.pass(Check.count(devices.size(), name + " device") + " with the driver "
                    + devices.getFirst().driver());
        }
        PciDevice first = idle.getFirst();
        if (first.driver().equals(PASSED_THROUGH)) {
            return Verdict.warn(
                    first.address() + " is given to a virtual machine (" + PASSED_THROUGH + ")",
                    "look inside that machine, or bind the device to " + drivers.getFirst());
        }
        String found = first.driver().isEmpty() ? "no driver" : "the driver " + first.driver();
        String message = idle.size() + " of " + Check.count(devices.size(), name + " device") + " cannot be used: "
                + first.address() + " has " + found;
        String next = "install " + name + "'s driver, or load it: " + load;
        return first.driver().isEmpty() ? Verdict.fail(message, next) : Verdict.warn(message, next);
    }
}
