/// Devices arranged in a mesh.
module dev.muster.mesh {
    requires transitive dev.muster.core;

    exports dev.muster.mesh;
    exports dev.muster.mesh.collective;
}
