// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.GaudiGeneration;
import dev.muster.detect.Fixtures;
import dev.muster.detect.tool.ToolRow;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HlSmiParserTest {
    static final List<String> FIELDS = List.of(
            "index",
            "uuid",
            "name",
            "driver_version",
            "memory.total",
            "memory.used",
            "memory.free",
            "power.draw",
            "power.max",
            "temperature.aip",
            "utilization.aip");

    @Test
    void readsTheRecordedTable() throws IOException {
        List<ToolRow> devices = HlSmiTableParser.parse(Fixtures.shared("gaudi/gaudi2-x8.hl-smi.txt"))
                .orElseThrow();

        assertThat(devices).hasSize(8);
        assertThat(devices).allSatisfy(device -> {
            assertThat(device.find("name")).contains("HL-225");
            assertThat(device.find("driver_version")).contains("1.15.0-c43dc7b");
            assertThat(device.find("memory.total")).contains("98304MiB");
            assertThat(device.find("power.max")).contains("600W");
            assertThat(device.find("utilization.aip")).contains("0%");
        });
        assertThat(devices.get(5).find("memory.used")).contains("26835MiB");
        assertThat(devices.get(0).find("memory.used")).contains("768MiB");
        assertThat(devices)
                .extracting(device -> device.find("temperature.aip").orElse(""))
                .containsExactly("26C", "28C", "24C", "27C", "25C", "26C", "24C", "25C");
        assertThat(devices)
                .extracting(device -> device.find("power.draw").orElse(""))
                .containsExactly("87W", "99W", "98W", "87W", "112W", "111W", "93W", "86W");
    }

    @Test
    void pitfall21_theOrderOfNumbersIsNotThatOfTheBus() throws IOException {
        List<ToolRow> devices = HlSmiTableParser.parse(Fixtures.shared("gaudi/gaudi2-x8.hl-smi.txt"))
                .orElseThrow();

        assertThat(devices)
                .extracting(device -> device.findAddress("bus_id").orElseThrow().bus())
                .containsExactly(0x09, 0x08, 0x0a, 0x0c, 0x0b, 0x0d, 0x0f, 0x0e);
    }

    @Test
    void pitfall21_theNetworkDriversVersionIsNotTheDrivers() throws IOException {
        List<ToolRow> devices = HlSmiTableParser.parse(Fixtures.own("gaudi/hl-smi/hl-325l-x2__1.22__synthetic.txt"))
                .orElseThrow();

        assertThat(devices).hasSize(2);
        assertThat(devices)
                .extracting(device -> device.find("driver_version").orElse(""))
                .containsOnly("1.22.1-97ec1a4");
        assertThat(devices.getLast().find("utilization.aip")).contains("12%");
    }

    @Test
    void readsTheRecordedQueryWithoutNames() throws IOException {
        HlSmiQueryParser.Answer answer = HlSmiQueryParser.parse(Fixtures.shared("gaudi/hl-325l-x2.query.csv"), FIELDS);

        assertThat(answer.unread()).isZero();
        assertThat(answer.devices()).extracting(ToolRow::number).containsExactly(0L, 1L);
        ToolRow second = answer.devices().getLast();
        assertThat(second.find("uuid")).contains("01P4-HL3090A0-18-U4V298-03-04-04");
        assertThat(second.find("name")).contains("HL-325L");
        assertThat(second.find("memory.total")).contains("131072 MiB");
        assertThat(second.find("utilization.aip")).contains("0 %");
    }

    @Test
    void aLineOfNamesTellsTheColumns() {
        String text = "index, memory.total [MiB], name\n3, 98304 MiB, HL-225\n";

        HlSmiQueryParser.Answer answer = HlSmiQueryParser.parse(text, FIELDS);

        assertThat(answer.devices()).hasSize(1);
        assertThat(answer.devices().getFirst().number()).isEqualTo(3);
        assertThat(answer.devices().getFirst().find("memory.total")).contains("98304 MiB");
    }

    @Test
    void wordsForNothingAreNothing() {
        ToolRow device = HlSmiQueryParser.parse("0,[N/A],N/A, ,[Not Supported]", List.of("index", "a", "b", "c", "d"))
                .devices()
                .getFirst();

        assertThat(List.of("a", "b", "c", "d"))
                .allMatch(name -> device.find(name).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "junk", "x,1,2,3", "1025,a,b", "| | | |", "|1|2|3|\n|4|5|6|", "\u0000,\"", "+===+"})
    void makesNothingOfJunk(String text) {
        assertThat(HlSmiTableParser.parse(text)).isEmpty();
        assertThat(HlSmiQueryParser.parse(text, FIELDS).devices()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "HL-205, GAUDI1",
        "HL-200, GAUDI1",
        "HL-225, GAUDI2",
        "HL-225D, GAUDI2",
        "HL-288, GAUDI2",
        "HL-325L, GAUDI3",
        "HL-338, GAUDI3",
        "Intel Gaudi 3, GAUDI3",
        "gaudi2, GAUDI2",
        "Habana Gaudi, GAUDI1"
    })
    void knowsTheGenerationByName(String name, GaudiGeneration generation) {
        assertThat(GaudiProducts.findByName(name)).contains(generation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HL-100", "HL-425", "HL-", "HL-2", "Goya", "", "Gaudi9"})
    void assumesNoGenerationForOthers(String name) {
        assertThat(GaudiProducts.findByName(name)).isEmpty();
        assertThat(GaudiProducts.findById(0x0001)).isEmpty();
    }
}
