/// The newer field: one probe, and a table with a row for each vendor.
@NullMarked
package dev.muster.detect.field;

import org.jspecify.annotations.NullMarked;
