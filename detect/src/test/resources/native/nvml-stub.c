/* NVML of eight GPUs that are none: the fourth is lost, the last has two MIG devices. Counts how often it was begun and given back. */
#include <stdio.h>
#include <string.h>

#define SUCCESS 0
#define NOT_SUPPORTED 3
#define NOT_FOUND 6
#define GPU_IS_LOST 15
#define GPUS 8
#define LOST 3
#define DIVIDED 107
#define SLICES 200

static int begun, ended;

int stub_begun(void) { return begun; }
int stub_ended(void) { return ended; }

int nvmlInit_v2(void) { return begun++, SUCCESS; }
int nvmlShutdown(void) { return ended++, SUCCESS; }

int nvmlDeviceGetCount_v2(unsigned *count) { return *count = GPUS, SUCCESS; }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, long *handle) {
    *handle = 100 + index;
    return index == LOST ? GPU_IS_LOST : SUCCESS;
}

int nvmlDeviceGetName(long handle, char *name, unsigned length) {
    if (handle >= SLICES) {
        snprintf(name, length, "NVIDIA Stub 7 MIG %s", handle == SLICES ? "1c.3g.71gb" : "1g.18gb");
    } else {
        snprintf(name, length, "NVIDIA Stub %ld", handle - 100);
    }
    return SUCCESS;
}

int nvmlDeviceGetUUID(long handle, char *uuid, unsigned length) {
    snprintf(uuid, length, handle >= SLICES ? "MIG-%08ld-0000-0000-0000-000000000000" : "GPU-%08ld-0000-0000-0000-000000000000", handle - 100);
    return SUCCESS;
}

int nvmlDeviceGetTemperature(long handle, int sensor, unsigned *degrees) {
    return *degrees = (unsigned)(handle - 100) + 40, SUCCESS;
}

int nvmlDeviceGetMigMode(long handle, unsigned *current, unsigned *pending) {
    return *current = *pending = handle == DIVIDED, SUCCESS;
}

int nvmlDeviceGetMaxMigDeviceCount(long handle, unsigned *count) { return *count = handle == DIVIDED ? 7 : 0, SUCCESS; }

int nvmlDeviceGetMigDeviceHandleByIndex(long handle, unsigned index, long *slice) {
    *slice = SLICES + index;
    return handle == DIVIDED && (index == 0 || index == 3) ? SUCCESS : NOT_FOUND;
}
