import { describe, expect, it } from 'vitest';
import { endOfDayMs } from '../../../forms/dates/calendar-day.ts';
import { readAddress, toQuery } from './list-address.ts';

const queryOf = (address: string) => toQuery(readAddress(new URLSearchParams(address)));

describe('address of the list', () => {
  it('turns days into whole days and GiB into bytes', () => {
    const query = queryOf('expiryFrom=2026-01-31&expiryTo=2026-01-31&usageFrom=0.5&inbound=1,2&autoRenew=on');
    expect(Number(query.expiryTo) - Number(query.expiryFrom)).toBe(86_399_999);
    expect(new Date(Number(query.expiryFrom)).getHours()).toBe(0);
    expect(query).toMatchObject({ usageFrom: '536870912', usageTo: '', inbound: '1,2', autoRenew: 'on' });
  });

  it('a day on which the clocks change is whole, too', () => {
    const { TZ } = process.env;
    process.env.TZ = 'Europe/Berlin';
    try {
      const query = queryOf('expiryFrom=2026-10-25&expiryTo=2026-10-25');
      // A client whose last day it is ends in its last second.
      expect(Number(query.expiryTo)).toBe(endOfDayMs('2026-10-25') + 999);
      expect(Number(query.expiryTo) - Number(query.expiryFrom)).toBe(25 * 3_600_000 - 1);
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('leaves out what is no day and no amount', () => {
    expect(queryOf('expiryFrom=soon&usageTo=-3&usageFrom=x')).toMatchObject({
      expiryFrom: '',
      usageTo: '',
      usageFrom: '',
    });
  });

  it('falls back to the first page and a size the server knows', () => {
    expect(readAddress(new URLSearchParams('page=-2&size=9000'))).toMatchObject({ page: 1, size: 200 });
  });
});
