import { describe, expect, it } from 'vitest';
import { recordingLogger } from '../../../testing/test-store.ts';
import {
  parseInterfaceStatistics,
  parseInterfaceTable,
  parseSocketTable,
  parseSwapUsage,
  parseVmStat,
} from './command-text.ts';
import { linuxProbes } from './linux.ts';
import { createMachine } from './machine.ts';
import type { Probes } from './probes.ts';
import { createCpuMeter, createLoadMeter } from './rates.ts';

const PROC: Record<string, string> = {
  '/proc/stat': 'cpu  100 20 30 800 50 3 4 5 60 7\ncpu0 1 2 3 4\n',
  '/proc/cpuinfo': [
    'processor\t: 0\nphysical id\t: 0\ncore id\t\t: 0',
    'processor\t: 1\nphysical id\t: 0\ncore id\t\t: 0',
    'processor\t: 2\nphysical id\t: 0\ncore id\t\t: 1',
    'processor\t: 3\nphysical id\t: 1\ncore id\t\t: 0',
  ].join('\n\n'),
  '/proc/meminfo':
    'MemTotal:  8000 kB\nMemFree:  1000 kB\nMemAvailable:  6000 kB\nSwapTotal:  2000 kB\nSwapFree:  1500 kB\n',
  '/proc/net/dev': [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo:     999       9    0    0    0     0          0         0      999       9    0    0    0     0       0          0',
    '  eth0:1000 10    0    0    0     0          0         0     2000      20    0    0    0     0       0          0',
    ' wlan1:     500       5    0    0    0     0          0         0      600       6    0    0    0     0       0          0',
    'docker0:     77       7    0    0    0     0          0         0       77       7    0    0    0     0       0          0',
    '  tun0:     77       7    0    0    0     0          0         0       77       7    0    0    0     0       0          0',
  ].join('\n'),
  '/proc/net/sockstat': 'sockets: used 300\nTCP: inuse 20 orphan 1 tw 7 alloc 30 mem 2\nUDP: inuse 4 mem 1\n',
  '/proc/net/sockstat6': 'TCP6: inuse 5\nUDP6: inuse 2\n',
  '/proc/diskstats': [
    '   8       0 sda 10 0 100 5 20 0 200 9 0 1 1',
    '   8       1 sda1 10 0 100 5 20 0 200 9 0 1 1',
    ' 259       0 nvme0n1 10 0 7 5 20 0 3 9 0 1 1',
    ' 253       0 dm-0 10 0 100 5 20 0 200 9 0 1 1',
  ].join('\n'),
  '/proc/loadavg': '0.52 0.33 0.21 1/97 1234\n',
  '/proc/self/status': 'Name:\tnode\nThreads:\t11\n',
};

describe('Linux', () => {
  const read = async (path: string) => {
    const text = PROC[path];
    if (text === undefined) throw new Error(`ENOENT ${path}`);
    return text;
  };
  it('reads each metric from the kernel', async () => {
    const probes = linuxProbes(read);
    expect(await probes.cpuTimes()).toEqual({ busy: 162, total: 1012 });
    expect(await probes.physicalCores()).toBe(3);
    expect(await probes.memory()).toEqual({ used: 2000 * 1024, total: 8000 * 1024 });
    expect(await probes.swap!()).toEqual({ used: 500 * 1024, total: 2000 * 1024 });
    expect(await probes.network()).toEqual({
      receivedBytes: 1500,
      receivedPackets: 15,
      sentBytes: 2600,
      sentPackets: 26,
    });
    expect(await probes.sockets()).toEqual({ tcp: 32, udp: 6 });
    expect(await probes.diskTraffic!()).toEqual({ readBytes: 107 * 512, writtenBytes: 203 * 512 });
    expect(await probes.load!()).toEqual([0.52, 0.33, 0.21]);
    expect(await probes.threads!()).toBe(11);
  });

  it('reads the shared file of memory and swap once', async () => {
    const paths: string[] = [];
    const probes = linuxProbes((path) => {
      paths.push(path);
      return read(path);
    });
    const figures = await Promise.all([probes.memory(), probes.swap!()]);
    expect(figures).toEqual([
      { used: 2000 * 1024, total: 8000 * 1024 },
      { used: 500 * 1024, total: 2000 * 1024 },
    ]);
    expect(paths).toEqual(['/proc/meminfo']);
    await probes.memory();
    expect(paths).toEqual(['/proc/meminfo', '/proc/meminfo']);
  });

  it('counts sockets without IPv6', async () => {
    const probes = linuxProbes((path) => (path.endsWith('6') ? Promise.reject(new Error('ENOENT')) : read(path)));
    expect(await probes.sockets()).toEqual({ tcp: 27, udp: 4 });
  });
});

describe('macOS and Windows', () => {
  it('reads memory and swap of macOS', () => {
    const vmStat = [
      'Mach Virtual Memory Statistics: (page size of 16384 bytes)',
      'Pages free:                               10000.',
      'Pages active:                               200.',
      'Pages inactive:                             300.',
      'Pages wired down:                           100.',
      'Pages occupied by compressor:                50.',
    ].join('\n');
    expect(parseVmStat(vmStat, 1024 ** 3)).toEqual({ used: 350 * 16_384, total: 1024 ** 3 });
    expect(parseSwapUsage('total = 2048.00M  used = 512.25M  free = 1535.75M  (encrypted)')).toEqual({
      used: 512.25 * 1024 ** 2,
      total: 2048 * 1024 ** 2,
    });
  });

  it('counts each macOS interface once, with and without a hardware address', () => {
    const table = [
      'Name  Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll',
      'lo0   16384 <Link#1>                         5000     0     900000     5000     0     900000     0',
      'en0   1500  <Link#4>    a0:b1:c2:d3:e4:f5      300     0      30000      200     0      20000     0',
      'en0   1500  192.0.2/24    192.0.2.7            300     -      30000      200     -      20000     -',
      'ppp0  1500  <Link#9>                            10     0       1000       20     0       2000     0',
      'utun3 1380  <Link#15>                          100     0      10000      100     0      10000     0',
    ].join('\n');
    expect(parseInterfaceTable(table)).toEqual({
      receivedPackets: 310,
      receivedBytes: 31_000,
      sentPackets: 220,
      sentBytes: 22_000,
    });
  });

  it('reads the Windows statistics in any language', () => {
    const german = [
      'Schnittstellenstatistik',
      '',
      '                             Empfangen        Gesendet',
      '',
      'Bytes                       1234567890       987654321',
      'Unicastpakete                  1000000          900000',
      'Nicht-Unicastpakete                 12              34',
    ].join('\r\n');
    expect(parseInterfaceStatistics(german)).toEqual({
      receivedBytes: 1_234_567_890,
      sentBytes: 987_654_321,
      receivedPackets: 1_000_000,
      sentPackets: 900_000,
    });
    expect(() => parseInterfaceStatistics('')).toThrow('no counters');
  });

  it('counts sockets in both tables', () => {
    expect(
      parseSocketTable('tcp4 0 0 *.22 *.* LISTEN\ntcp6 0 0 *.22 *.*\ntcp46 0 0 *.80 *.*\nudp4 0 0 *.53 *.*\n'),
    ).toEqual({
      tcp: 3,
      udp: 1,
    });
    expect(parseSocketTable('  Proto  Local Address\r\n  TCP    0.0.0.0:135\r\n  UDP    [::]:53\r\n')).toEqual({
      tcp: 1,
      udp: 1,
    });
  });
});

describe('processor usage', () => {
  it('starts at the second reading, is smoothed, and survives readings that do not change', () => {
    const meter = createCpuMeter();
    expect(meter({ busy: 500, total: 1000 })).toBe(0);
    expect(meter({ busy: 550, total: 1100 })).toBe(50);
    expect(meter({ busy: 650, total: 1200 })).toBeCloseTo(65);
    expect(meter({ busy: 650, total: 1200 })).toBeCloseTo(65);
    expect(meter({ busy: 0, total: 100 })).toBeCloseTo(65);
  });

  it('becomes load averages where the system has none', () => {
    const meter = createLoadMeter(8);
    expect(meter(50, 0)).toEqual([4, 4, 4]);
    const [load1, load5, load15] = meter(100, 60_000);
    expect(load1).toBeCloseTo(8 - 4 * Math.exp(-1));
    expect(load1).toBeGreaterThan(load5);
    expect(load5).toBeGreaterThan(load15);
  });
});

describe('one reading of the machine', () => {
  const traffic = (sentBytes: number) => ({ sentBytes, receivedBytes: 0, sentPackets: 0, receivedPackets: 0 });
  function machineWith(probes: Partial<Probes>) {
    const log = recordingLogger();
    const time = { nowMs: 1_000 };
    const machine = createMachine({
      dataDir: process.cwd(),
      log,
      monotonicMs: () => time.nowMs,
      probes: {
        cpuTimes: async () => ({ busy: 1, total: 2 }),
        physicalCores: async () => 4,
        memory: async () => ({ used: 1, total: 2 }),
        network: async () => traffic(0),
        sockets: async () => ({ tcp: 1, udp: 1 }),
        ...probes,
      },
    });
    return { machine, log, time };
  }

  it('divides by the elapsed time and never shows a falling counter as a burst', async () => {
    let sentBytes = 1_000_000;
    const { machine, time } = machineWith({ network: async () => traffic(sentBytes) });
    expect((await machine.collect()).networkRate.sentBytes).toBe(0);
    sentBytes += 10_000;
    time.nowMs += 4_000;
    expect((await machine.collect()).networkRate.sentBytes).toBe(2_500);
    sentBytes = 5;
    time.nowMs += 2_000;
    expect((await machine.collect()).networkRate.sentBytes).toBe(0);
    sentBytes += 3_600_000;
    time.nowMs += 3_600_000;
    expect((await machine.collect()).networkRate.sentBytes).toBe(1_000);
  });

  it('keeps the other metrics when one fails, logs it once, and shows no burst on recovery', async () => {
    let isFailing = false;
    let sentBytes = 1_000_000;
    const { machine, log, time } = machineWith({
      network: async () => {
        if (isFailing) throw new Error('EIO');
        return traffic(sentBytes);
      },
    });
    await machine.collect();
    isFailing = true;
    for (let tick = 0; tick < 3; tick++) {
      time.nowMs += 2_000;
      const figures = await machine.collect();
      expect(figures.networkTotal.sentBytes).toBe(0);
      expect(figures.memory).toEqual({ used: 1, total: 2 });
    }
    expect(log.lines.map(({ event, fields }) => [event, fields['figure']])).toEqual([
      ['machine.figureUnknown', 'network'],
    ]);
    isFailing = false;
    sentBytes += 8_000;
    time.nowMs += 2_000;
    expect((await machine.collect()).networkRate.sentBytes).toBe(1_000);
  });

  it('fills every metric of the machine it runs on with a finite number', async () => {
    const machine = createMachine({ dataDir: process.cwd(), log: recordingLogger() });
    await machine.collect();
    const figures = await machine.collect();
    const numbers = JSON.stringify(figures).match(/null|-/g);
    expect(numbers).toBeNull();
    expect(figures.memory.total).toBeGreaterThan(figures.memory.used);
    expect(figures.disk.total).toBeGreaterThan(figures.disk.used);
    expect(figures.logicalProcessors).toBeGreaterThan(0);
    expect(figures.physicalCores).toBeGreaterThan(0);
    expect(figures.residentBytes).toBeGreaterThan(1_000_000);
    expect(figures.uptimeSec).toBeGreaterThan(0);
  });
});
