// CUDA and cuBLAS on host memory with a clock of their own: copies and products take exactly as long as the rates below
// say, so that what is measured is known beforehand. For tests of the binding; the signatures are those of cuda.h and
// cublas_v2.h of CUDA 13.0.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct { unsigned char bytes[16]; } CUuuid;
typedef struct { double at; } *CUevent;
typedef void *CUstream;
typedef void *CUcontext;
typedef int cublasStatus_t;

enum { OK = 0, INVALID = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100 };
enum { FAIL_ALLOC = 1, FAIL_HOST, FAIL_PRODUCT, FAIL_INIT, FAIL_COPY, FAIL_STREAM, FAIL_CREATE, FAIL_EVENT, FAIL_RETAIN, FAIL_TYPE };

static const double COPY = 2e12, HOST = 50e9;
static double now;
static int live, failing, countdown;
static size_t memory_free = (size_t)16 << 30;
static CUcontext current;
static long sizes, products;
static int random_input;

// For the tests: how much is still held, what fails and when, how much memory there is, what was multiplied.
int stub_live(void) { return live; }
int stub_reset(void) { live = failing = countdown = 0; now = 0; current = NULL; memory_free = (size_t)16 << 30; sizes = products = 0; random_input = 0; return 0; }
int stub_fail(int what, int after) { failing = what; countdown = after; return 0; }
int stub_memory(int mebibytes) { memory_free = (size_t)mebibytes << 20; return 0; }
int stub_size(void) { return (int)sizes; }
int stub_products(void) { return (int)products; }
int stub_random_input(void) { return random_input; }

static int fails(int what) { return failing == what && countdown-- == 0; }

static void *take(size_t bytes) {
    size_t *p = mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    *p = bytes;
    live++;
    return (char *)p + 4096;
}
static CUresult give(void *p) {
    if (!p) return INVALID;
    size_t *start = (size_t *)((char *)p - 4096);
    live--;
    return munmap(start, *start + 4096) ? INVALID : OK;
}

CUresult cuInit(unsigned int flags) { return flags ? INVALID : fails(FAIL_INIT) ? NO_DEVICE : OK; }
CUresult cuGetErrorName(CUresult error, const char **name) {
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_INVALID_VALUE";
    return OK;
}
CUresult cuDeviceGetCount(int *count) { *count = 2; return OK; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { if (ordinal < 0 || ordinal > 1) return INVALID; *device = ordinal + 7; return OK; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device) { snprintf(name, length, "Stub GPU %d", device - 7); return OK; }
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { for (int i = 0; i < 16; i++) uuid->bytes[i] = (unsigned char)(i * 16 + device - 7); return OK; }
CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) { snprintf(id, length, "0000:%02X:00.0", 0x3a + device - 7); return OK; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { if (fails(FAIL_RETAIN) || device != 8) return INVALID; *context = (void *)0x1234; live++; return OK; }
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) { if (device != 8) return INVALID; live--; return OK; }
CUresult cuCtxSetCurrent(CUcontext context) { if (context && context != (void *)0x1234) return INVALID; current = context; return OK; }
CUresult cuMemGetInfo_v2(size_t *free, size_t *total) { if (!current) return INVALID; *free = memory_free; *total = (size_t)24 << 30; return OK; }
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes) {
    if (!current || fails(FAIL_ALLOC) || bytes > memory_free) return OUT_OF_MEMORY;
    *pointer = (CUdeviceptr)(uintptr_t)take(bytes);
    return OK;
}
CUresult cuMemFree_v2(CUdeviceptr pointer) { return give((void *)(uintptr_t)pointer); }
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) { if (!current || flags || fails(FAIL_HOST)) return OUT_OF_MEMORY; *pointer = take(bytes); return OK; }
CUresult cuMemFreeHost(void *pointer) { return give(pointer); }

// The first and last bytes are really copied, so that an address or length that is wrong is noticed.
static CUresult copy(void *to, const void *from, size_t bytes, double rate, CUstream stream) {
    if (!stream || !current) return INVALID;
    if (fails(FAIL_COPY)) return INVALID;
    size_t part = bytes < 4096 ? bytes : 4096;
    memcpy(to, from, part);
    memcpy((char *)to + bytes - part, (const char *)from + bytes - part, part);
    now += bytes / rate;
    return OK;
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s) { return copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes, COPY / 2, s); }
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream s) { return copy((void *)(uintptr_t)to, from, bytes, HOST, s); }
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream s) { return copy(to, (void *)(uintptr_t)from, bytes, HOST / 2, s); }
CUresult cuStreamCreate(CUstream *stream, unsigned int flags) { if (flags || fails(FAIL_STREAM)) return INVALID; *stream = malloc(1); live++; return OK; }
CUresult cuStreamSynchronize(CUstream stream) { return stream ? OK : INVALID; }
CUresult cuStreamDestroy_v2(CUstream stream) { free(stream); live--; return OK; }
CUresult cuEventCreate(CUevent *event, unsigned int flags) { if (flags || fails(FAIL_EVENT)) return INVALID; *event = calloc(1, sizeof **event); live++; return OK; }
CUresult cuEventRecord(CUevent event, CUstream stream) { if (!stream) return INVALID; event->at = now; return OK; }
CUresult cuEventSynchronize(CUevent event) { return event ? OK : INVALID; }
CUresult cuEventElapsedTime(float *milliseconds, CUevent first, CUevent last) { *milliseconds = (float)((last->at - first->at) * 1e3); return OK; }
CUresult cuEventDestroy_v2(CUevent event) { free(event); live--; return OK; }

cublasStatus_t cublasCreate_v2(void **handle) { if (fails(FAIL_CREATE)) return 3; *handle = (void *)0x77; live++; return OK; }
cublasStatus_t cublasDestroy_v2(void *handle) { if (handle != (void *)0x77) return 7; live--; return OK; }
cublasStatus_t cublasSetStream_v2(void *handle, CUstream stream) { return handle == (void *)0x77 && stream ? OK : 7; }
cublasStatus_t cublasSetWorkspace_v2(void *handle, void *memory, size_t bytes) { if (handle != (void *)0x77 || bytes != (size_t)32 << 20) return 7; memset(memory, 1, 1); return OK; }
cublasStatus_t cublasGemmEx(void *handle, int opa, int opb, int m, int n, int k, const void *alpha, const void *a,
        int atype, int lda, const void *b, int btype, int ldb, const void *beta, void *c, int ctype, int ldc, int compute,
        int algorithm) {
    if (handle != (void *)0x77 || opa || opb || m != n || n != k || lda != n || ldb != n || ldc != n) return 7;
    if (*(const float *)alpha != 1.0f || *(const float *)beta != 0.0f || atype != btype || btype != ctype || algorithm != -1) return 7;
    if (fails(FAIL_PRODUCT)) return 13;
    if (fails(FAIL_TYPE)) return 15;
    size_t bytes = (size_t)n * n * (atype == 0 ? 4 : 2);
    memset((char *)c + bytes - 1, 1, 1);
    // Random numbers differ; zeros would not.
    random_input |= memcmp(a, (const char *)a + 64, 64) != 0 && memcmp(b, (const char *)b + 128, 64) != 0;
    double rate = compute == 77 ? 400e12 : atype == 14 ? 800e12 : atype == 2 ? 750e12 : atype == 0 && compute == 68 ? 50e12 : 0;
    if (rate == 0) return 15;
    now += 2.0 * n * n * n / rate;
    sizes = n;
    products++;
    return OK;
}
