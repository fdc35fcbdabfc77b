// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.Optional;

/// Names of GPUs that no driver names, by PCI id: the public list of PCI ids (pci-ids.ucw.cz, compared with that of
/// 2026-08-22), in the driver's own words.
final class NvidiaModels {
    private NvidiaModels() {}

    static Optional<String> find(String pciId) {
        String name = switch (pciId) {
            case "10de:15f8" -> "Tesla P100-PCIE-16GB";
            case "10de:15f9" -> "Tesla P100-SXM2-16GB";
            case "10de:1b38" -> "Tesla P40";
            case "10de:1db1" -> "Tesla V100-SXM2-16GB";
            case "10de:1db4" -> "Tesla V100-PCIE-16GB";
            case "10de:1db5" -> "Tesla V100-SXM2-32GB";
            case "10de:1db6" -> "Tesla V100-PCIE-32GB";
            case "10de:1eb8" -> "Tesla T4";
            case "10de:20b0" -> "NVIDIA A100-SXM4-40GB";
            case "10de:20b2" -> "NVIDIA A100-SXM4-80GB";
            case "10de:20b5" -> "NVIDIA A100 80GB PCIe";
            case "10de:20b7" -> "NVIDIA A30";
            case "10de:20f1" -> "NVIDIA A100-PCIE-40GB";
            case "10de:2204" -> "NVIDIA GeForce RTX 3090";
            case "10de:2206" -> "NVIDIA GeForce RTX 3080";
            case "10de:2230" -> "NVIDIA RTX A6000";
            case "10de:2235" -> "NVIDIA A40";
            case "10de:2236" -> "NVIDIA A10";
            case "10de:2237" -> "NVIDIA A10G";
            case "10de:2321" -> "NVIDIA H100 NVL";
            case "10de:2330" -> "NVIDIA H100 80GB HBM3";
            case "10de:2331" -> "NVIDIA H100 PCIe";
            case "10de:2335" -> "NVIDIA H200";
            case "10de:233b" -> "NVIDIA H200 NVL";
            case "10de:2342" -> "NVIDIA GH200 480GB";
            case "10de:2684" -> "NVIDIA GeForce RTX 4090";
            case "10de:26b1" -> "NVIDIA RTX 6000 Ada Generation";
            case "10de:26b5" -> "NVIDIA L40";
            case "10de:26b9" -> "NVIDIA L40S";
            case "10de:2704" -> "NVIDIA GeForce RTX 4080";
            case "10de:27b8" -> "NVIDIA L4";
            case "10de:2901" -> "NVIDIA B200";
            case "10de:2941" -> "NVIDIA GB200";
            case "10de:2b85" -> "NVIDIA GeForce RTX 5090";
            case "10de:2bb1" -> "NVIDIA RTX PRO 6000 Blackwell Workstation Edition";
            case "10de:2e12" -> "NVIDIA GB10";
            default -> "";
        };
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }
}
