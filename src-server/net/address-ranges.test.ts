import { describe, expect, it } from 'vitest';
import { parseAddressRanges } from './address-ranges.ts';

describe('parseAddressRanges', () => {
  it('covers IPs and CIDRs of both families, including mapped addresses', () => {
    const text = ' 10.0.0.0/8 ,, 192.0.2.1,2001:db8::/32,::ffff:198.51.100.7,::ffff:172.16.0.0/108';
    const { ranges, invalid } = parseAddressRanges(text);
    expect(invalid).toEqual([]);
    for (const inside of ['10.255.0.1', '::ffff:10.1.1.1', '192.0.2.1', '2001:db8:1::1', '198.51.100.7', '172.31.0.1'])
      expect(ranges.includes(inside), inside).toBe(true);
    for (const outside of ['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unknown', '', 'fe80::1%eth0'])
      expect(ranges.includes(outside), outside).toBe(false);
  });

  it('returns the invalid entries', () => {
    const bad = [
      '10.0.0.0/33',
      '::/129',
      '1.2.3',
      'example.com',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0.0/',
      'fe80::1%eth0',
    ];
    expect(parseAddressRanges(bad.join(',')).invalid).toEqual(bad);
  });
});
