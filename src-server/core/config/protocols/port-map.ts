import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, textOf } from '../json-access.ts';
import { hostAndPort, portNumber } from '../inbound/listen-address.ts';
import { refuse, refuseSilent, type Report } from '../rules/finding.ts';

/** The panel's form `[{name: "8443", value: "example.com:443"}]`, from the core's object. */
export function portMapRows(portMap: JsonObject): JsonObject[] {
  return Object.entries(portMap).map(([name, value]) => ({ name, value }));
}

/** The core's form `{"8443": "example.com:443"}`; of two rows for one port the later wins. */
export function portMapOf(rows: readonly Json[]): JsonObject {
  const portMap: JsonObject = {};
  for (const row of rows) {
    if (isJsonObject(row) && nameOf(row) !== '') portMap[nameOf(row)] = row['value'] ?? '';
  }
  return portMap;
}

function nameOf(row: JsonObject): string {
  return typeof row['name'] === 'number' ? String(row['name']) : textOf(row['name']).trim();
}

/** Accepts both forms. The core checks only that a value has a colon. */
export function checkPortMap(portMap: Json, where: string, report: Report): void {
  if (portMap === null) return;
  if (Array.isArray(portMap)) {
    const seen = new Set<string>();
    for (const [index, row] of portMap.entries()) {
      const at = `${where}[${index}]`;
      if (!isJsonObject(row)) {
        refuse(report, at, 'config.portMapRow');
        continue;
      }
      checkEntry(nameOf(row), row['value'] ?? null, `${at}.name`, `${at}.value`, report);
      if (seen.has(nameOf(row))) refuseSilent(report, `${at}.name`, 'config.listedTwice');
      seen.add(nameOf(row));
    }
  } else if (isJsonObject(portMap)) {
    for (const [name, value] of Object.entries(portMap)) {
      checkEntry(name, value, `${where}.${name}`, `${where}.${name}`, report);
    }
  } else refuse(report, where, 'config.portMap');
}

function checkEntry(name: string, value: Json, nameAt: string, valueAt: string, report: Report): void {
  if (portNumber(name) === null) refuseSilent(report, nameAt, 'config.port');
  const target = typeof value === 'string' ? hostAndPort(value) : null;
  if (target === null) refuse(report, valueAt, 'config.hostPort');
  else if (portNumber(target.port) === null) {
    refuseSilent(report, valueAt, 'config.targetPort');
  }
}
