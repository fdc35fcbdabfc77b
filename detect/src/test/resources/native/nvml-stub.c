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

/* Every GPU has 18 links to a switch; one link of the second is down. */
#define LINKS 18
#define LAME 101
#define FORBIDDEN 102
#define WORN 104
#define TIRED 105

static int link_questions;

int stub_link_questions(void) { return link_questions; }

int nvmlDeviceGetNvLinkState(long handle, unsigned link, unsigned *active) {
    __sync_fetch_and_add(&link_questions, 1);
    *active = handle != LAME || link != 5;
    return link < LINKS ? SUCCESS : NOT_FOUND;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(long handle, unsigned link, unsigned *type) {
    __sync_fetch_and_add(&link_questions, 1);
    return *type = 2, SUCCESS;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(long handle, unsigned link, char *pci) {
    __sync_fetch_and_add(&link_questions, 1);
    return NOT_SUPPORTED;
}

int nvmlDeviceGetFieldValues(long handle, int count, char *values) {
    for (int i = 0; i < count; i++) {
        unsigned *value = (unsigned *)(values + 40 * i);
        value[7] = value[0] == 164 ? SUCCESS : NOT_SUPPORTED;
        value[8] = 26562;
        if (i == 0 && value[0] == 164) {
            __sync_fetch_and_add(&link_questions, 1);
        }
    }
    return SUCCESS;
}

int nvmlDeviceGetComputeMode(long handle, unsigned *mode) { return *mode = handle == FORBIDDEN ? 2 : 0, SUCCESS; }

int nvmlDeviceGetRemappedRows(long handle, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed) {
    *corrected = 1;
    *uncorrected = *pending = 0;
    return *failed = handle == WORN, SUCCESS;
}

int nvmlDeviceGetSramEccErrorStatus(long handle, unsigned *status) {
    return status[24] = handle == TIRED, SUCCESS;
}
