// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import java.util.Locale;
import java.util.Optional;

/// Decides by its firmware whether a machine belongs to a cloud. What each cloud writes there is documented by the
/// cloud or by cloud-init's data sources (25.3, 2025-09); a vendor that also sells machines does not suffice.
final class CloudRule {
    static final String AWS = "aws";

    private static final String AZURE_CHASSIS = "7783-7084-3265-9085-8269-3286-77";
    private static final String ORACLE_CHASSIS = "OracleCloud.com";

    private CloudRule() {}

    /// The cloud's name, such as `aws`.
    static Optional<String> findProvider(Firmware firmware) {
        if (isAws(firmware)) {
            return Optional.of(AWS);
        }
        // Google also makes laptops.
        if (firmware.productName().equals("Google Compute Engine")) {
            return Optional.of("gcp");
        }
        // Every Surface and every Hyper-V guest says Microsoft.
        if (firmware.chassisAssetTag().equals(AZURE_CHASSIS)) {
            return Optional.of("azure");
        }
        if (firmware.chassisAssetTag().equals(ORACLE_CHASSIS)) {
            return Optional.of("oracle");
        }
        if (firmware.productName().equals("Alibaba Cloud ECS")) {
            return Optional.of("alibaba");
        }
        if (firmware.systemVendor().equals("DigitalOcean")) {
            return Optional.of("digitalocean");
        }
        if (firmware.systemVendor().equals("Hetzner")) {
            return Optional.of("hetzner");
        }
        boolean openStack = firmware.productName().startsWith("OpenStack ")
                || firmware.systemVendor().equals("OpenStack Foundation");
        return openStack ? Optional.of("openstack") : Optional.empty();
    }

    /// Older machines of Amazon run on Xen, as machines of others do; theirs says so in its version.
    private static boolean isAws(Firmware firmware) {
        if (firmware.systemVendor().equals("Xen")) {
            return mentionsAmazon(firmware.productVersion()) || mentionsAmazon(firmware.biosVersion());
        }
        return firmware.systemVendor().startsWith("Amazon")
                || firmware.biosVendor().startsWith("Amazon");
    }

    private static boolean mentionsAmazon(String version) {
        return version.toLowerCase(Locale.ROOT).contains("amazon");
    }

    /// The firmware's strings on a machine's maker, stripped; blank if missing.
    ///
    /// @param systemVendor maker of the machine
    /// @param productName the maker's name for it
    /// @param productVersion of which version it is
    /// @param biosVendor maker of the firmware
    /// @param biosVersion of which version it is
    /// @param boardAssetTag the owner's mark on the board
    /// @param chassisAssetTag the owner's mark on the case
    record Firmware(
            String systemVendor,
            String productName,
            String productVersion,
            String biosVendor,
            String biosVersion,
            String boardAssetTag,
            String chassisAssetTag) {}
}
