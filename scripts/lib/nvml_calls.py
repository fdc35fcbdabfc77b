# SPDX-License-Identifier: Apache-2.0
"""Asks NVML what Muster's probe asks, one call after the other, and prints the milliseconds that it took.

Plain calls through ctypes: what a program in C would take, give or take some microseconds for each call.
"""
import ctypes
import time

MEMORY_V2 = 40 | 2 << 24
FABRIC_V3 = 40 | 3 << 24
SRAM_V1 = 104 | 1 << 24
SM, MEMORY = 1, 2
MEMORY_TEMPERATURE = 82
MOST_PROCESSES = 1024

start = time.perf_counter()
nvml = ctypes.CDLL("libnvidia-ml.so.1")
answer = ctypes.create_string_buffer(1 << 16)


def at(offset):
    return ctypes.byref(answer, offset)


def put(*words):
    ctypes.memset(answer, 0, 64)
    for i, word in enumerate(words):
        ctypes.memmove(ctypes.byref(answer, 4 * i), word.to_bytes(4, "little"), 4)


def call(name, *arguments):
    return getattr(nvml, name)(*arguments)


assert call("nvmlInit_v2") == 0
call("nvmlSystemGetDriverVersion", answer, 96)
call("nvmlSystemGetCudaDriverVersion_v2", answer)
count = ctypes.c_uint()
call("nvmlDeviceGetCount_v2", ctypes.byref(count))
for index in range(count.value):
    gpu = ctypes.c_void_p()
    call("nvmlDeviceGetHandleByIndex_v2", index, ctypes.byref(gpu))
    call("nvmlDeviceGetPciInfo_v3", gpu, answer)
    for text in ("Name", "UUID", "VbiosVersion"):
        call("nvmlDeviceGet" + text, gpu, answer, 96)
    call("nvmlDeviceGetCudaComputeCapability", gpu, answer, at(4))
    put(MEMORY_V2)
    call("nvmlDeviceGetMemoryInfo_v2", gpu, answer)
    for clock in (SM, MEMORY):
        call("nvmlDeviceGetMaxClockInfo", gpu, clock, answer)
        call("nvmlDeviceGetClockInfo", gpu, clock, answer)
    for number in (
        "Architecture",
        "VirtualizationMode",
        "MemoryBusWidth",
        "EnforcedPowerLimit",
        "MaxPcieLinkGeneration",
        "MaxPcieLinkWidth",
        "NumGpuCores",
        "UtilizationRates",
        "PowerUsage",
        "CurrPcieLinkGeneration",
        "CurrPcieLinkWidth",
        "CurrentClocksEventReasons",
    ):
        call("nvmlDeviceGet" + number, gpu, answer)
    call("nvmlDeviceGetTemperature", gpu, 0, answer)
    put(MEMORY_TEMPERATURE)
    call("nvmlDeviceGetFieldValues", gpu, 1, answer)
    put(MOST_PROCESSES)
    call("nvmlDeviceGetComputeRunningProcesses_v3", gpu, answer, at(64))
    call("nvmlDeviceGetEccMode", gpu, answer, at(4))
    for kind, counter in ((0, 0), (1, 0), (1, 1)):
        call("nvmlDeviceGetTotalEccErrors", gpu, kind, counter, answer)
    call("nvmlDeviceGetComputeMode", gpu, answer)
    call("nvmlDeviceGetRemappedRows", gpu, answer, at(4), at(8), at(12))
    put(SRAM_V1)
    call("nvmlDeviceGetSramEccErrorStatus", gpu, answer)
    call("nvmlDeviceGetNvLinkState", gpu, 0, answer)
    put(FABRIC_V3)
    call("nvmlDeviceGetGpuFabricInfoV", gpu, answer)
    call("nvmlDeviceGetMigMode", gpu, answer, at(4))
print(f"{1e3 * (time.perf_counter() - start):.2f}")
