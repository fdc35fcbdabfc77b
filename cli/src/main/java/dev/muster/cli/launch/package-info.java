/// Starts the processes of a mesh on this host and looks after them until the last one has ended.
@NullMarked
package dev.muster.cli.launch;

import org.jspecify.annotations.NullMarked;
