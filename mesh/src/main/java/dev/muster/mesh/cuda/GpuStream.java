package dev.muster.mesh.cuda;

/// Work that a device does in order. For one thread at a time, to which its device is bound; whoever
/// opened it closes it.
///
/// @since 0.1
public final class GpuStream implements AutoCloseable {
    /// Waits for no other stream.
    private static final long NON_BLOCKING = 1;

    private final GpuLibrary library;
    private final long handle;
    private boolean closed;

    private GpuStream(GpuLibrary library, long handle) {
        this.library = library;
        this.handle = handle;
    }

    static GpuStream open(GpuLibrary library) {
        return new GpuStream(library, library.ask(GpuFunction.CREATE_STREAM, NON_BLOCKING));
    }

    /// What the vendor's libraries know it by.
    public long handle() {
        return handle;
    }

    /// Whether all that it was given is done.
    ///
    /// @throws dev.muster.mesh.collective.GroupException if some of it failed
    public boolean isIdle() {
        int status = library.queryStream(handle);
        if (status != GpuLibrary.SUCCESS && status != GpuLibrary.NOT_READY) {
            throw library.failure("the work of a stream", status);
        }
        return status == GpuLibrary.SUCCESS;
    }

    /// Waits until all that it was given is done.
    void await() {
        library.call(GpuFunction.AWAIT_STREAM, handle);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            library.call(GpuFunction.DESTROY_STREAM, handle);
        }
    }
}
