/// Devices that are known by a node or folder of their driver alone: Groq, Samsung, MediaTek.
@NullMarked
package dev.muster.detect.single;

import org.jspecify.annotations.NullMarked;
