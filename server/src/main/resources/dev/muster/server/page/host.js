// SPDX-License-Identifier: Apache-2.0
/* The host in a few figures: what it has, and how much of it is used now. */
import {h} from "./dom.js";
import {bytes, celsius, duration, percent, watts} from "./format.js";
import {isAccelerator, level, memoryUsed} from "./health.js";

function sum(devices, value) {
  const known = devices.map(value).filter(Number.isFinite);
  return known.length ? known.reduce((a, b) => a + b, 0) : undefined;
}

function tile(name, value, note) {
  return value === undefined ? "" : h("div", {class: "tile"}, h("dt", {}, name), h("dd", {}, value, note ? h("small", {}, note) : ""));
}

function kinds(devices) {
  const counts = new Map();
  devices.forEach(one => counts.set(one.deviceName ?? one.id, (counts.get(one.deviceName ?? one.id) ?? 0) + 1));
  return [...counts].map(([name, count]) => `${count} x ${name}`);
}

function distinct(devices, key) {
  return [...new Set(devices.map(one => one[key]).filter(Boolean))];
}

/** The tiles above the devices. The host's own figures are missing where it is not this machine. */
export function totals(registry, host) {
  const devices = registry.devices.filter(isAccelerator);
  const cpu = registry.devices.find(one => one.accelerator === "cpu");
  const load = sum(devices, one => one.utilizationRatio);
  const memory = sum(devices, memoryUsed);
  const power = sum(devices, one => one.powerWatts);
  const limit = sum(devices, one => one.powerLimitWatts);
  const hottest = devices.filter(one => Number.isFinite(one.temperatureCelsius)).sort((a, b) => b.temperatureCelsius - a.temperatureCelsius)[0];
  const idle = devices.filter(one => one.utilizationRatio < 0.05 && memoryUsed(one) > 0.02 * one.memoryTotalBytes).length;
  const unhealthy = devices.filter(one => level(one) !== "well").length;
  const hostTotal = host?.memoryTotalBytes ?? cpu?.memoryTotalBytes;
  const hostFree = host?.memoryAvailableBytes ?? cpu?.memoryFreeBytes;
  const threads = host?.threads ?? cpu?.threads;
  const [first, ...others] = kinds(devices);
  return h("dl", {class: "tiles"},
    tile("Accelerators", first ?? "none", [...others, unhealthy ? `${unhealthy} need${unhealthy === 1 ? "s" : ""} attention` : first && "all healthy"].filter(Boolean).join(", ")),
    load === undefined ? "" : tile("Load", percent(load / devices.length), idle ? `${idle} hold${idle === 1 ? "s" : ""} memory and idle${idle === 1 ? "s" : ""}` : "average"),
    memory === undefined ? "" : tile("Device memory", bytes(memory), `of ${bytes(sum(devices, one => one.memoryTotalBytes))}`),
    power === undefined ? "" : tile("Power", watts(power), limit && `of ${watts(limit)}`),
    hottest ? tile("Hottest", celsius(hottest.temperatureCelsius), hottest.id) : "",
    tile("Driver", distinct(devices, "driverVersion").join(", ") || undefined, distinct(devices, "runtimeVersion").map(one => `runtime ${one}`).join(", ")),
    host?.loadOneMinute === undefined
      ? tile("Host CPU", cpu?.utilizationRatio === undefined ? undefined : percent(cpu.utilizationRatio), cpu?.deviceName)
      : tile("Host CPU", `load ${host.loadOneMinute.toFixed(1)}`, threads ? `of ${threads} threads` : cpu?.deviceName),
    hostTotal === undefined || hostFree === undefined ? "" : tile("Host memory", bytes(hostTotal - hostFree), `of ${bytes(hostTotal)}`),
    tile("Up", host?.uptimeSeconds === undefined ? undefined : duration(host.uptimeSeconds)));
}
