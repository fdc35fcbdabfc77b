package dev.muster.detect.amd;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bandwidth;

/// The XGMI ports of one GPU, as `amd-smi xgmi` tells them.
///
/// @param address where the GPU sits
/// @param laneGigabits rate of one lane in Gb/s
/// @param linkRate rate of one link in each direction
record XgmiPort(PciAddress address, double laneGigabits, Bandwidth linkRate) {}
