// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.json.DocumentException;
import dev.muster.plan.catalogue.CloudProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AwsOfferFileTest {
    private static final String FILE = "aws-us-east-1.json";

    private static Map<Machine, Quote> read(byte[] file, LocalDate day) throws IOException {
        return AwsOfferFile.read(
                new ByteArrayInputStream(file), "us-east-1", Synthetic.machines(CloudProvider.AWS, "us-east-1"), day);
    }

    @Test
    void takesLinuxOnASharedMachineAtThePriceOfTheDay() throws IOException {
        Map<Machine, Quote> quotes = read(Synthetic.file(FILE), Synthetic.DAY);
        assertThat(Synthetic.listed(quotes))
                .isEqualTo(Map.of("p5.48xlarge", "51.25", "g4dn.metal", "7.5", "g6e.12xlarge", "10.123456"));
        assertThat(Synthetic.unlisted(quotes))
                .containsEntry("p5en.48xlarge", "is not listed")
                .containsEntry("g5.xlarge", "has 8 vCPUs there, not 4")
                .containsEntry("inf1.xlarge", "is listed at 2 prices");
        assertThat(quotes).hasSameSizeAs(Synthetic.machines(CloudProvider.AWS, "us-east-1"));
    }

    @Test
    void aPriceHoldsFromItsDayOn() throws IOException {
        assertThat(Synthetic.listed(read(Synthetic.file(FILE), LocalDate.of(2026, 9, 30))))
                .containsEntry("p5.48xlarge", "61.5");
        assertThat(Synthetic.listed(read(Synthetic.file(FILE), LocalDate.of(2027, 1, 1))))
                .containsEntry("p5.48xlarge", "41");
    }

    @Test
    void theSourceNamesTheFile() throws IOException {
        assertThat(read(Synthetic.file(FILE), Synthetic.DAY).values())
                .filteredOn(Quote.Listed.class::isInstance)
                .extracting(quote -> ((Quote.Listed) quote).source())
                .containsOnly("AWS Price List bulk API: AmazonEC2 us-east-1 published 2026-11-10T12:00:00Z");
    }

    @Test
    void aFileThatWasCutAnywhereIsRefused() throws IOException {
        byte[] file = Synthetic.file(FILE);
        for (int length = 0; length < file.length - 1; length += 97) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> read(cut, Synthetic.DAY)).isInstanceOf(DocumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"USD\": \"51.2500000000\"      | \"CNY\": \"51.2500000000\"   | p5.48xlarge has no price in USD",
                "\"USD\": \"51.2500000000\"      | \"USD\": 51.25               | 'USD' is not a text",
                "\"USD\": \"51.2500000000\"      | \"USD\": \"much\"            | 'much' is not a price",
                "\"USD\": \"51.2500000000\"      | \"USD\": \"-1\"              | a price is below 0: -1",
                "\"effectiveDate\": \"2026-10-01T00:00:00Z\" | \"effectiveDate\": \"soon\" | 'soon' is not a time",
                "\"unit\": \"Hrs\"               | \"unit\": \"Mo\"             | p5.48xlarge is sold by 'Mo', not 'Hrs'",
                "\"offerCode\": \"AmazonEC2\"    | \"offerCode\": \"AmazonS3\"  | it is not an offer file of AmazonEC2",
                "\"regionCode\": \"us-east-1\"   | \"regionCode\": \"eu-west-1\" | it has no product of region us-east-1",
                "\"publicationDate\"             | \"publishedOn\"              | it has no 'publicationDate'",
                "\"OnDemand\": {                 | \"Other\": {                 | it has no 'terms/OnDemand'",
                "\"attributes\": {               | \"facts\": {                 | the key 'attributes' is missing"
            })
    void whatIsNotUnderstoodIsRefused(String found, String instead, String message) throws IOException {
        String text = new String(Synthetic.file(FILE), StandardCharsets.UTF_8);
        assertThat(text).contains(found);
        byte[] damaged = text.replace(found, instead).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> read(damaged, Synthetic.DAY))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining(message);
    }
}
