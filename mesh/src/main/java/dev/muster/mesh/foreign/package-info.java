/// Native libraries as the engines call them: found by name, linked by the number of arguments. Not for
/// users of the mesh.
@NullMarked
package dev.muster.mesh.foreign;

import org.jspecify.annotations.NullMarked;
