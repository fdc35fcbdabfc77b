// SPDX-License-Identifier: Apache-2.0
/* Whether a device is well. Colours of the page say this and nothing else: full load is work, not a fault. */
import {h} from "./dom.js";

const NO_FAULT = new Set(["in-use", "partitioned"]);

/** The faults of a device, in words. */
export function trouble(device) {
  return (device.reasons ?? []).filter(reason => !NO_FAULT.has(reason.obstacle)).map(reason => reason.words);
}

export function level(device) {
  const obstacles = (device.reasons ?? []).map(one => one.obstacle).filter(one => !NO_FAULT.has(one));
  return obstacles.some(one => one !== "warning") ? "bad" : obstacles.length ? "warning" : "well";
}

const WORDS = {well: "healthy", warning: "warning", bad: "unhealthy"};

/** The level by shape, colour and word. */
export function sign(device) {
  const found = level(device);
  return h("span", {class: `sign ${found}`, title: trouble(device).join("; ") || WORDS[found]},
    h("span", {class: "visually-hidden"}, WORDS[found]));
}

/** What a device does or lacks, in a line: its faults, else what slows it. */
export function condition(device) {
  return trouble(device).join("; ") || (device.throttling && device.throttling !== "none" ? `slowed: ${device.throttling}` : "");
}

export function memoryUsed(device) {
  return device.memoryUsedBytes ?? device.memoryTotalBytes - device.memoryFreeBytes;
}

export function isAccelerator(device) {
  return device.accelerator !== "cpu";
}
