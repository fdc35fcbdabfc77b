package dev.muster.core;

/// A machine of a cloud.
///
/// @param provider the cloud, such as `aws`
/// @param instanceType the machine's type, such as `p4d.24xlarge`
/// @param instanceId the machine's id
/// @param region the region
/// @param zone the zone
/// @since 0.1
public record CloudInstance(
        String provider,
        Reading<String> instanceType,
        Reading<String> instanceId,
        Reading<String> region,
        Reading<String> zone) {}
