// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.detect.probe.ProbeContext;
import java.util.Optional;

/// Says which cloud the machine belongs to, without asking any network.
record CloudProbe(ProbeContext context) {
    private static final String FOLDER = "/sys/class/dmi/id";
    private static final int MAX_VALUE = 1024;

    Reading<CloudInstance> probe() {
        if (!context.files().exists(FOLDER)) {
            return Reading.notSupported(FOLDER + " does not exist");
        }
        CloudRule.Firmware firmware = new CloudRule.Firmware(
                read("sys_vendor"),
                read("product_name"),
                read("product_version"),
                read("bios_vendor"),
                read("bios_version"),
                read("board_asset_tag"),
                read("chassis_asset_tag"));
        Optional<String> provider = CloudRule.findProvider(firmware);
        return provider.isPresent()
                ? Reading.known(instance(provider.get(), firmware), context.fromFile(FOLDER))
                : Reading.notSupported("the firmware names no cloud");
    }

    private CloudInstance instance(String provider, CloudRule.Firmware firmware) {
        if (!provider.equals(CloudRule.AWS)) {
            return new CloudInstance(
                    provider, Reading.notProbed(), Reading.notProbed(), Reading.notProbed(), Reading.notProbed());
        }
        String type = firmware.productName();
        String id = firmware.boardAssetTag();
        return new CloudInstance(
                provider,
                type.contains(".") ? Reading.known(type, context.fromFile(FOLDER + "/product_name")) : silent(),
                id.startsWith("i-") ? Reading.known(id, context.fromFile(FOLDER + "/board_asset_tag")) : silent(),
                region(),
                Reading.notProbed());
    }

    private Reading<String> region() {
        for (String name : new String[] {"AWS_DEFAULT_REGION", "AWS_REGION"}) {
            String value = context.host().variables().getOrDefault(name, "").strip();
            if (!value.isEmpty()) {
                return Reading.known(value, context.fromVariable(name));
            }
        }
        return Reading.notSupported("no variable names the region");
    }

    private static Reading<String> silent() {
        return Reading.notSupported("the firmware does not report it");
    }

    private String read(String name) {
        return context.files()
                .findText(FOLDER + "/" + name, MAX_VALUE)
                .orElse("")
                .replace("\0", "")
                .strip();
    }
}
