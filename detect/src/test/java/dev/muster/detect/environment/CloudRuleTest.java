// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.environment;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudRuleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // vendor, product, version, firmware, its version, case, cloud
                "Amazon EC2 | p5.48xlarge | '' | Amazon EC2 | 1.0 | Amazon EC2 | aws",
                "Xen | HVM domU | 4.11.amazon | Xen | 4.11.amazon | '' | aws",
                "Xen | HVM domU | 4.17.2 | Xen | 4.17.2 | '' | -",
                "Google | Google Compute Engine | '' | Google | Google | '' | gcp",
                "Google | Pixelbook | 1.0 | coreboot | x | '' | -",
                "Microsoft Corporation | Virtual Machine | 7.0 | AMI | 090008 | 7783-7084-3265-9085-8269-3286-77 | azure",
                "Microsoft Corporation | Virtual Machine | 7.0 | AMI | 090008 | 1234-5678 | -",
                "Microsoft Corporation | Surface Pro 9 | x | Microsoft Corporation | 1 | '' | -",
                "QEMU | Standard PC | pc-i440fx | SeaBIOS | 1 | OracleCloud.com | oracle",
                "Alibaba Cloud | Alibaba Cloud ECS | pc-i440fx | SeaBIOS | 1 | '' | alibaba",
                "DigitalOcean | Droplet | 20171212 | DigitalOcean | 1 | '' | digitalocean",
                "Hetzner | vServer | 20171111 | Hetzner | 1 | '' | hetzner",
                "OpenStack Foundation | OpenStack Nova | 27.1 | SeaBIOS | 1 | '' | openstack",
                "RDO | OpenStack Compute | 27.1 | SeaBIOS | 1 | '' | openstack",
                "Dell Inc. | PowerEdge R6515 | '' | Dell Inc. | 2.2.4 | '' | -",
                "'' | '' | '' | '' | '' | '' | -"
            })
    void defect46_onlyWhatACloudWritesMakesACloud(
            String vendor,
            String product,
            String version,
            String bios,
            String biosVersion,
            String chassis,
            @Nullable String cloud) {
        CloudRule.Firmware firmware = new CloudRule.Firmware(vendor, product, version, bios, biosVersion, "", chassis);

        assertThat(CloudRule.findProvider(firmware).orElse("none")).isEqualTo(cloud == null ? "none" : cloud);
    }
}
