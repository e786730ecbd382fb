import { isBlank, textOf } from '../json-access.ts';
import { refuse, type Report } from '../rules/finding.ts';
import { flag, integerOrZero, oneOf, rangeOf, shape, type FieldRule } from '../rules/field-rules.ts';

const BITS_PER_UNIT: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
const SLOWEST_BITS = 65_536 * 8;

/** Text such as `100 mbps`, in bits per second; a JSON number is a decode error. */
const bandwidth: FieldRule = (value, where, report) => {
  const match = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)?\s*([bkmgt]?)(?:bps|b|ps)?\s*$/i.exec(value) : null;
  const bits = Number(match?.[1] ?? 0) * (BITS_PER_UNIT[(match?.[2] ?? '').toLowerCase()] ?? 1);
  if (match === null || (value !== '' && match[1] === undefined)) {
    refuse(report, where, 'config.bandwidth');
  } else if (bits > 0 && bits < SLOWEST_BITS) refuse(report, where, 'config.atLeast', { min: '525 kbps' });
};

const udpHop: FieldRule = shape({}, (value, where, report) => {
  checkPorts(value['ports'] ?? '', `${where}.ports`, report);
  const interval = rangeOf(value['interval']);
  if (interval === null || ((interval.from !== 0 || interval.to !== 0) && interval.from < 5))
    refuse(report, `${where}.interval`, 'config.seconds', { min: 5 });
});

function checkPorts(ports: unknown, where: string, report: Report): void {
  const parts = typeof ports === 'number' ? [String(ports)] : typeof ports === 'string' ? ports.split(',') : [null];
  const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
  for (const part of parts) {
    if (part === null || (part.trim() !== '' && !part.trim().split('-').every(isPort))) {
      refuse(report, where, 'config.portRanges');
      return;
    }
  }
}

const window = integerOrZero(16_384);

export const quicParams: FieldRule = shape(
  {
    congestion: oneOf('', 'reno', 'bbr', 'brutal', 'force-brutal'),
    bbrProfile: oneOf('', 'standard', 'conservative', 'aggressive'),
    debug: flag,
    brutalUp: bandwidth,
    brutalDown: bandwidth,
    udpHop,
    initStreamReceiveWindow: window,
    maxStreamReceiveWindow: window,
    initConnectionReceiveWindow: window,
    maxConnectionReceiveWindow: window,
    maxIdleTimeout: integerOrZero(4, 120),
    keepAlivePeriod: integerOrZero(2, 60),
    disablePathMTUDiscovery: flag,
    maxIncomingStreams: integerOrZero(8),
  },
  (value, where, report) => {
    if (textOf(value['congestion']) === 'force-brutal' && isBlank(value['brutalUp']))
      refuse(report, `${where}.brutalUp`, 'config.brutalUp');
  },
);
