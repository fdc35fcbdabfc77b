// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceUsability;
import dev.muster.core.PciAddress;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Faults of GPUs, and the GPUs that have them.
class NvidiaTroubleTest {
    private static final String QUERY = "nvidia-smi " + String.join(" ", NvidiaSmiQuerySource.QUESTION);
    private static final String IDENTITY = "nvidia-smi --query-gpu=index,uuid,pci.bus_id --format=csv,noheader,nounits";
    private static final String FABRIC =
            "nvidia-smi --query-gpu=index,fabric.state,fabric.status --format=csv,noheader,nounits";
    private static final String ROW = "0, 12288, 300, 11988, 8.6, 550.54, NVIDIA RTX A2000, 40, 20, 0, 6001\n";

    @Test
    void aFabricWithUnhealthyRoutesMakesTheGpuUnwell() {
        AcceleratorProfile gpu = only(xml("""
                <gpu_recovery_action>None</gpu_recovery_action>
                <fabric><state>Completed</state><status>Success</status>
                <health><summary>Unhealthy</summary><bandwidth>Full</bandwidth>
                <route_recovery_in_progress>False</route_recovery_in_progress>
                <route_unhealthy>True</route_unhealthy>
                <incorrect_configuration>None</incorrect_configuration></health></fabric>"""));

        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).find()).contains("completed, unhealthy (route unhealthy)");
        assertThat(gpu.reading(DeviceFact.HEALTH).find()).contains("NVLink fabric unhealthy (route unhealthy)");
        assertThat(DeviceChoice.defaults(AcceleratorRegistry.of(List.of(gpu))).excluded())
                .extracting(DeviceChoice.ExcludedDevice::reason)
                .containsExactly(DeviceUsability.Obstacle.UNHEALTHY);
    }

    @ParameterizedTest
    @CsvSource({
        "'Completed, Success', completed",
        "'In Progress, N/A', in progress",
        "'Completed, Insufficient Resources', 'completed, insufficient resources'"
    })
    void aFabricIsAskedForWhereOnlyColumnsCanBeRead(String answer, String state) {
        AcceleratorProfile gpu = only(new HostSketch().tool(QUERY, ROW).tool(FABRIC, "0, " + answer + "\n"));

        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).find()).contains(state);
    }

    @Test
    void aDriverThatKnowsNoFabricAnswersTheOtherQuestions() {
        AcceleratorProfile gpu = only(new HostSketch()
                .tool(QUERY, ROW)
                .tool(FABRIC, 2, "Field \"fabric.state\" is not a valid field to query.", ""));

        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).isKnown()).isFalse();
        assertThat(gpu.available()).isTrue();
    }

    @Test
    void aFabricOfLessCapacityIsSaidAndTheGpuStaysWell() {
        AcceleratorProfile gpu = only(xml("""
                <gpu_recovery_action>None</gpu_recovery_action>
                <fabric><state>Completed</state><status>Success</status>
                <health><summary>Limited Capacity</summary><bandwidth>Degraded</bandwidth></health></fabric>"""));

        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).find())
                .contains("completed, limited capacity (bandwidth degraded)");
        assertThat(gpu.reading(DeviceFact.HEALTH).find()).contains("ok");
    }

    @Test
    void aFabricThatIsWellOrSilentAddsNothing() {
        AcceleratorProfile gpu = only(xml("<fabric><state>Completed</state><status>Success</status>"
                + "<health><summary>Healthy</summary><route_unhealthy>False</route_unhealthy></health></fabric>"));

        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).find()).contains("completed");
    }

    @Test
    void knownMemoryErrorsStayWhereAnotherCounterIsMissing() {
        AcceleratorProfile gpu = only(xml("""
                <ecc_errors><volatile><sram_correctable>N/A</sram_correctable>
                <sram_uncorrectable_parity>N/A</sram_uncorrectable_parity>
                <sram_uncorrectable_secded>[Unknown Error]</sram_uncorrectable_secded>
                <dram_correctable>0</dram_correctable>
                <dram_uncorrectable>5</dram_uncorrectable></volatile></ecc_errors>"""));

        assertThat(gpu.reading(DeviceFact.ECC_UNCORRECTED).find()).contains(5L);
        assertThat(gpu.reading(DeviceFact.ECC_CORRECTED).find()).contains(0L);
    }

    @Test
    void noErrorsAreNotClaimedWhereACounterCannotBeRead() {
        AcceleratorProfile gpu = only(xml("<ecc_errors><volatile><sram_uncorrectable>[Unknown Error]"
                + "</sram_uncorrectable><dram_uncorrectable>0</dram_uncorrectable></volatile></ecc_errors>"));

        assertThat(gpu.reading(DeviceFact.ECC_UNCORRECTED).isKnown()).isFalse();
    }

    @Test
    void whatKeepsTheClocksLowIsNamed() {
        AcceleratorProfile hot = only(xml("<clocks_event_reasons>"
                + "<clocks_event_reason_gpu_idle>Active</clocks_event_reason_gpu_idle>"
                + "<clocks_event_reason_hw_thermal_slowdown>Active</clocks_event_reason_hw_thermal_slowdown>"
                + "<clocks_event_reason_sw_power_cap>Not Active</clocks_event_reason_sw_power_cap>"
                + "</clocks_event_reasons>"));
        AcceleratorProfile old = only(xml("<clocks_throttle_reasons>"
                + "<clocks_throttle_reason_sw_power_cap>Active</clocks_throttle_reason_sw_power_cap>"
                + "</clocks_throttle_reasons>"));

        assertThat(hot.reading(DeviceFact.THROTTLING).find()).contains("hw thermal slowdown");
        assertThat(old.reading(DeviceFact.THROTTLING).find()).contains("sw power cap");
        assertThat(NvidiaThrottling.text(0x1)).isEqualTo("none");
        assertThat(NvidiaThrottling.text(0x44)).isEqualTo("sw power cap, hw thermal slowdown");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unable to determine the device handle for GPU0000:02:00.0: GPU is lost. Reboot the system\n",
                "Unable to determine the device handle for GPU 0000:02:00.0: GPU is lost. Reboot the system\n",
                "Unable to determine the device handle for GPU1: 0000:02:00.0: GPU is lost. Reboot the system\n"
            })
    void oneLostGpuLeavesTheOthersWell(String sentence) {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2531", "30000", "nvidia")
                .pci("0000:02:00.0", "10DE:2531", "30000", "nvidia")
                .tool("nvidia-smi -q -x", 15, sentence, "")
                .tool(QUERY, 15, ROW + sentence, "")
                .tool(IDENTITY, 15, "0, GPU-0, 00000000:01:00.0\n" + sentence, "");

        List<AcceleratorProfile> gpus =
                new NvidiaProbe().probe(Contexts.of(host)).profiles();

        assertThat(gpus).hasSize(2);
        assertThat(gpus.getFirst().available()).isTrue();
        assertThat(gpus.getFirst().reading(DeviceFact.HEALTH).isKnown()).isFalse();
        assertThat(gpus.getFirst().memory().isKnown()).isTrue();
        assertThat(gpus.getLast().available()).isFalse();
        assertThat(gpus.getLast().reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:02:00.0"));
        assertThat(gpus.getLast().reading(DeviceFact.HEALTH).find())
                .contains("the driver cannot reach it: GPU is lost. Reboot the system");
    }

    @Test
    void aLostGpuIsADeviceWhereTheBusIsHiddenToo() {
        HostSketch host = new HostSketch()
                .tool(QUERY, 15, ROW, "Unable to determine the device handle for GPU1: 0000:02:00.0: Unknown Error");

        assertThat(new NvidiaProbe().probe(Contexts.of(host)).profiles())
                .extracting(AcceleratorProfile::available)
                .containsExactly(true, false);
    }

    private static HostSketch xml(String gpu) {
        return new HostSketch().tool("nvidia-smi -q -x", Smi.document(gpu));
    }

    private static AcceleratorProfile only(HostSketch host) {
        List<AcceleratorProfile> gpus =
                new NvidiaProbe().probe(Contexts.of(host)).profiles();
        assertThat(gpus).hasSize(1);
        return gpus.getFirst();
    }
}
