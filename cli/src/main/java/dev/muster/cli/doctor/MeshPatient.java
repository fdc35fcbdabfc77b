package dev.muster.cli.doctor;

import dev.muster.mesh.shm.SharedMemoryHost;
import java.util.Map;

/// This machine and this process as ranks of a mesh would find them.
///
/// @param variables what a launcher may have set
/// @param host where memory is shared
/// @param processors how many processors there are
/// @param accelerators how many devices detection found, without the processor
public record MeshPatient(Map<String, String> variables, SharedMemoryHost host, int processors, int accelerators) {}
