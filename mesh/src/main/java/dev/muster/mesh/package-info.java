/// How devices are arranged in a mesh: the topologies, and the sizes they ask for.
@NullMarked
package dev.muster.mesh;

import org.jspecify.annotations.NullMarked;
