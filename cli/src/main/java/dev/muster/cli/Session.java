package dev.muster.cli;

import dev.muster.cli.render.Terminal;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.detect.Detection;
import java.util.Optional;

/// One run of the program: where its text goes and where its registries come from. Confined to one thread.
final class Session {
    private final Terminal terminal;
    private final RegistrySource registries;
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder notes = new StringBuilder();

    Session(Terminal terminal, RegistrySource registries) {
        this.terminal = terminal;
        this.registries = registries;
    }

    Terminal terminal() {
        return terminal;
    }

    /// Adds data, for standard output.
    void print(String text) {
        output.append(text);
    }

    /// Adds a line for people, for standard error.
    void note(String line) {
        notes.append(line).append('\n');
    }

    String output() {
        return output.toString();
    }

    String notes() {
        return notes.toString();
    }

    /// The registry that the options ask for: a saved one, or this machine's.
    AcceleratorRegistry loadRegistry(Arguments arguments) {
        Optional<String> file = arguments.find(CommonOptions.REGISTRY);
        return file.isPresent() ? registries.read(file.get()) : detect().registry();
    }

    /// What the host says, with how long each part took.
    Detection detect() {
        return registries.detect();
    }

    AcceleratorRegistry readRegistry(String file) {
        return registries.read(file);
    }
}
