package dev.muster.detect;

import dev.muster.detect.host.HostFiles;
import java.time.Clock;

/// Everything a probe may touch of the outside world.
///
/// @param files the host's files
/// @param clock the time of observations
/// @param log where probes say what they did
/// @since 0.1
public record ProbeContext(HostFiles files, Clock clock, System.Logger log) {}
