package dev.muster.detect.fabric;

import dev.muster.core.PciAddress;
import dev.muster.core.Reading;

/// A network card of a host.
///
/// @param name the kernel's name for it, such as `mlx5_0`
/// @param address where it sits on the PCI bus
public record NetworkCard(String name, Reading<PciAddress> address) {}
