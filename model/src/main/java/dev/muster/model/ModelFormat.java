// SPDX-License-Identifier: Apache-2.0
package dev.muster.model;

import java.util.Locale;

/// The format of a model file.
///
/// @since 0.1
public enum ModelFormat {
    /// Safetensors.
    SAFE_TENSORS("SafeTensors"),
    /// GGUF, llama.cpp's format.
    GGUF("GGUF"),
    /// ONNX.
    ONNX("ONNX"),
    /// A PyTorch archive.
    PYTORCH("PyTorch");

    private final String display;

    ModelFormat(String display) {
        this.display = display;
    }

    /// Returns the name in documents, such as `safetensors`.
    public String text() {
        return display.toLowerCase(Locale.ROOT);
    }

    /// Returns the name in tables and in documents of ai-hwaccel.
    public String display() {
        return display;
    }
}
