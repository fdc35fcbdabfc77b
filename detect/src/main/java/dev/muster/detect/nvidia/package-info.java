/// NVIDIA GPUs: NVML first, then nvidia-smi, then what the kernel lists.
@NullMarked
package dev.muster.detect.nvidia;

import org.jspecify.annotations.NullMarked;
