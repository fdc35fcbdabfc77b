/// What may keep accelerators of a host from being found or used: checks with stable names, each with what to do next.
@NullMarked
package dev.muster.cli.doctor;

import org.jspecify.annotations.NullMarked;
