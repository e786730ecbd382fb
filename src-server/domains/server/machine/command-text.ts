import { isCountedInterface } from './interfaces.ts';
import type { Amount, NetworkCounters } from './probes.ts';

/** macOS `vm_stat`: active, wired and compressed pages are used; the system can free the rest on demand. */
export function parseVmStat(text: string, totalBytes: number): Amount {
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1] ?? 4096);
  const pages = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const used = pages('Pages active') + pages('Pages wired down') + pages('Pages occupied by compressor');
  return { used: Math.min(used * pageBytes, totalBytes), total: totalBytes };
}

/** macOS `sysctl -n vm.swapusage`: `total = 2048.00M  used = 512.25M  free = 1535.75M  (encrypted)`. */
export function parseSwapUsage(text: string): Amount {
  const bytes = (name: string): number => {
    const match = new RegExp(`${name} = ([\\d.,]+)([KMG])`).exec(text);
    if (match === null) return 0;
    const unit = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[match[2] as 'K' | 'M' | 'G'];
    return Math.round(Number(match[1]!.replace(',', '.')) * unit);
  };
  return { used: bytes('used'), total: bytes('total') };
}

/** macOS `netstat -ibn`: one row per interface and address with the same counters; the link row counts. */
export function parseInterfaceTable(text: string): NetworkCounters {
  const sum: NetworkCounters = { sentBytes: 0, receivedBytes: 0, sentPackets: 0, receivedPackets: 0 };
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (!fields[2]?.startsWith('<Link#') || !isCountedInterface(fields[0]!.replace(/\*$/, ''))) continue;
    // An interface without a hardware address has one column less, so the counters are counted from the right.
    const [receivedPackets, , receivedBytes, sentPackets, , sentBytes] = fields.slice(-7).map(Number);
    sum.receivedPackets += receivedPackets ?? 0;
    sum.receivedBytes += receivedBytes ?? 0;
    sum.sentPackets += sentPackets ?? 0;
    sum.sentBytes += sentBytes ?? 0;
  }
  return sum;
}

/**
 * Windows `netstat -e`. Its labels are translated, so rows are found by position: the first two rows with two numbers
 * are bytes and unicast packets, received and sent. The totals cover all interfaces except loopback.
 */
export function parseInterfaceStatistics(text: string): NetworkCounters {
  const rows = text
    .split(/\r?\n/)
    .map((line) => /\s(\d+)\s+(\d+)\s*$/.exec(line))
    .filter((match) => match !== null);
  if (rows.length === 0) throw new Error('netstat -e printed no counters');
  return {
    receivedBytes: Number(rows[0]![1]),
    sentBytes: Number(rows[0]![2]),
    receivedPackets: Number(rows[1]?.[1] ?? 0),
    sentPackets: Number(rows[1]?.[2] ?? 0),
  };
}

/** `netstat -an` of macOS and Windows: rows by the protocol in the first column. */
export function parseSocketTable(text: string): { tcp: number; udp: number } {
  const count = (protocol: string): number =>
    text.match(new RegExp(`^\\s*${protocol}(?:4|6|46)?\\s`, 'gim'))?.length ?? 0;
  return { tcp: count('tcp'), udp: count('udp') };
}
