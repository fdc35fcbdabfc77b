// NVML as far as telemetry goes, written after nvml.h of driver 580: three GPUs. The
// second refuses everything, the third has NVLink 5, whose older counters are refused.

#include <string.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, REFUSING = 2, NVLINK5 = 3 };

typedef struct {
    unsigned int fieldId, scopeId;
    long long timestamp, latencyUsec;
    unsigned int valueType;
    int nvmlReturn;
    unsigned long long value;
} FieldValue;

static int refuse(long device) { return device == REFUSING ? NOT_SUPPORTED : SUCCESS; }

int nvmlInit_v2(void) { return SUCCESS; }
int nvmlShutdown(void) { return SUCCESS; }

int nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 3;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, long *device) {
    *device = index + 1;
    return SUCCESS;
}

int nvmlDeviceGetTotalEnergyConsumption(long device, unsigned long long *energy) {
    *energy = 8123456789ULL;
    return refuse(device);
}

int nvmlDeviceGetUtilizationRates(long device, unsigned int *rates) {
    rates[0] = 80;
    rates[1] = 35;
    return refuse(device);
}

int nvmlDeviceGetEncoderUtilization(long device, unsigned int *percent, unsigned int *period) {
    *percent = 7;
    *period = 100000;
    return refuse(device);
}

int nvmlDeviceGetDecoderUtilization(long device, unsigned int *percent, unsigned int *period) {
    *percent = 100;
    *period = 100000;
    return refuse(device);
}

int nvmlDeviceGetPcieThroughput(long device, unsigned int counter, unsigned int *kilobytes) {
    *kilobytes = counter == 0 ? 1066699 : 14742333;
    return refuse(device);
}

int nvmlDeviceGetFieldValues(long device, int count, FieldValue *values) {
    for (int i = 0; i < count; i++) {
        unsigned int id = values[i].fieldId;
        int all = values[i].scopeId == 0xffffffffU;
        int older = id == 138 || id == 139;
        int newer = id == 202 || id == 204;
        int told = device == NVLINK5 ? newer : older;
        values[i].nvmlReturn = all && told ? SUCCESS : NOT_SUPPORTED;
        values[i].valueType = 3;
        values[i].value = id == 138 ? 5000000000ULL : id == 139 ? 3ULL : id == 202 ? 77ULL : 99ULL;
    }
    return refuse(device);
}

int nvmlDeviceGetRemappedRows(long device, unsigned int *corrected, unsigned int *uncorrected, unsigned int *pending,
                              unsigned int *failed) {
    *corrected = 2;
    *uncorrected = 1;
    *pending = 1;
    *failed = 0;
    return refuse(device);
}

typedef struct {
    unsigned int pid;
    unsigned long long time;
    unsigned int sm, memory, encoder, decoder;
} ProcessSample;

// Two samples of one process, the newest first, and one of a process that has ended since.
int nvmlDeviceGetProcessUtilization(
    long device, ProcessSample *samples, unsigned int *count, unsigned long long since) {
    ProcessSample all[] = {{4242, 2000, 62, 5, 0, 0}, {4242, 1000, 11, 5, 0, 0}, {7, 1500, 99, 0, 0, 0}};
    if (*count < 3 || since != 0) return refuse(REFUSING);
    memcpy(samples, all, sizeof all);
    *count = 3;
    return refuse(device);
}

int nvmlDeviceGetComputeRunningProcesses_v3(long device, unsigned int *count, char *processes) {
    unsigned int pid = 4242;
    unsigned long long memory = 1ULL << 30;
    memcpy(processes, &pid, sizeof pid);
    memcpy(processes + 8, &memory, sizeof memory);
    *count = 1;
    return refuse(device);
}

// Performance monitoring: the second GPU is older than Hopper. A sample is a number; between two of them the values grow.
typedef struct {
    unsigned int id;
    int status;
    double value;
    char *texts[3];
} GpmMetric;

typedef struct {
    unsigned int version, count;
    long first, second;
    GpmMetric metrics[8];
} GpmMetrics;

static int held;

int nvmlGpmQueryDeviceSupport(long device, unsigned int *support) {
    support[1] = device != REFUSING;
    return support[0] == 1 ? SUCCESS : NOT_SUPPORTED;
}

int nvmlGpmSampleAlloc(long *sample) {
    *sample = 1000 + __sync_add_and_fetch(&held, 1);
    return SUCCESS;
}

int nvmlGpmSampleFree(long sample) {
    if (sample >= 1000) __sync_sub_and_fetch(&held, 1);
    return SUCCESS;
}

int nvmlGpmSampleGet(long device, long sample) { return sample >= 1000 ? refuse(device) : NOT_SUPPORTED; }

// The samples that are held, for the test of a device that is looked at again and again.
int nvmlDeviceGetPcieReplayCounter(long device, unsigned int *count) {
    *count = held;
    return refuse(device);
}

int nvmlGpmMetricsGet(GpmMetrics *get) {
    if (get->version != 1 || get->first < 1000 || get->second < 1000) return NOT_SUPPORTED;
    for (unsigned int i = 0; i < get->count; i++) {
        GpmMetric *metric = &get->metrics[i];
        metric->status = metric->id == 3 ? NOT_SUPPORTED : SUCCESS;
        metric->value = metric->id == 5 ? 93.7 : metric->id == 10 ? 16.2 : metric->id == 61 ? 2048 : 50;
    }
    return SUCCESS;
}
