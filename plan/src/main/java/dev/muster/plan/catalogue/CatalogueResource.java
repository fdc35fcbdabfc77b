package dev.muster.plan.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The tables that come with Muster.
final class CatalogueResource {
    private CatalogueResource() {}

    static String text(String name) {
        try (InputStream stream = CatalogueResource.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the table '" + name + "' is missing; the program is damaged");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
