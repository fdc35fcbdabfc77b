package dev.muster.mesh.foreign;

import java.lang.invoke.MethodHandle;

/// A native function of integers and pointers that returns a status. It is called with as many arguments
/// as it was linked with. Calls leave no garbage. Immutable; for any thread of the platform.
///
/// @since 0.1
public final class NativeFunction {
    private final MethodHandle handle;

    NativeFunction(MethodHandle handle) {
        this.handle = handle;
    }

    /// Calls it with no arguments.
    public int call() {
        try {
            return (int) handle.invokeExact();
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with one argument.
    public int call(long a) {
        try {
            return (int) handle.invokeExact(a);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with two arguments.
    public int call(long a, long b) {
        try {
            return (int) handle.invokeExact(a, b);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with three arguments.
    public int call(long a, long b, long c) {
        try {
            return (int) handle.invokeExact(a, b, c);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with four arguments.
    public int call(long a, long b, long c, long d) {
        try {
            return (int) handle.invokeExact(a, b, c, d);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with five arguments.
    public int call(long a, long b, long c, long d, long e) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with six arguments.
    public int call(long a, long b, long c, long d, long e, long f) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with seven arguments.
    public int call(long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e, f, g);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// Calls it with eight arguments.
    public int call(long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) handle.invokeExact(a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw broken(thrown);
        }
    }

    /// What a call threw: nothing but errors of the virtual machine.
    public static RuntimeException broken(Throwable e) {
        if (e instanceof RuntimeException known) {
            return known;
        }
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call threw", e);
    }
}
