/// Graphcore IPUs: the PCI bus, device nodes and `gc-info`.
@NullMarked
package dev.muster.detect.graphcore;

import org.jspecify.annotations.NullMarked;
