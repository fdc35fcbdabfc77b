/// What a machine's devices really reach: rates that were measured, the document that keeps them, and
/// how a processor is measured. Devices of vendors are measured in the vendors' packages.
@NullMarked
package dev.muster.detect.measure;

import org.jspecify.annotations.NullMarked;
