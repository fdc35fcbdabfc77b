package dev.muster.detect.environment;

/// What the firmware of a machine says about its maker, without blanks around; blank where it does not say.
///
/// @param systemVendor who made the machine
/// @param productName what they call it
/// @param productVersion of which version it is
/// @param biosVendor who made the firmware
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
