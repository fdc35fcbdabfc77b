/// Hosts of a cluster as its scheduler, its metrics and its hosts tell of them.
module dev.muster.fleet {
    requires transitive dev.muster.core;
    requires dev.muster.detect;
    requires transitive dev.muster.plan;
    requires java.net.http;
    requires static org.jspecify;

    exports dev.muster.fleet;
    exports dev.muster.fleet.file;
    exports dev.muster.fleet.slurm;
}
