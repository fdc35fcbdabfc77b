/// How the parts of a host are joined: nodes (host, NUMA node, bridge, switch, device, network card) and the links
/// between them, with the questions that placement asks: who is near whom, and over what.
@NullMarked
package dev.muster.core.topology;

import org.jspecify.annotations.NullMarked;
