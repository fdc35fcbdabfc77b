package dev.muster.core;

/// An environment variable that says which devices a program may use.
///
/// @param name its name, such as `CUDA_VISIBLE_DEVICES`
/// @param value its value as it stands; may be blank, which often means no device
/// @since 0.1
public record DeviceVariable(String name, String value) {}
