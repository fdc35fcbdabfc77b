// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static dev.muster.detect.FuzzText.text;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Fuzz test: the kernel's data on processors; any input ends in a result or a declared failure.
final class CpuFuzzTest {
    @FuzzTest
    void cpuinfo(byte[] data) {
        CpuinfoParser.Cpu cpuinfo = CpuinfoParser.parse(text(data));
        cpuinfo.findModelName();
        cpuinfo.countCores();
        cpuinfo.countThreads();
        cpuinfo.countSockets();
        Extensions.findNamed(cpuinfo.flags());
    }

    @FuzzTest
    void windows(byte[] data) {
        WindowsCpu.parse(text(data)).ifPresent(cpu -> {
            cpu.memory();
            cpu.free();
            cpu.name();
        });
    }

    @FuzzTest
    void values(byte[] data) {
        String text = text(data);
        CpuFolders.parseKilohertz(text);
        CpuFolders.parseSize(text);
        Extensions.findNamed(text);
        CoreKinds.parseCapacity(text);
        MemoryChannels.parseChannel(text);
    }
}
