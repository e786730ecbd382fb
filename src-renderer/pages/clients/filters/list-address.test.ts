import { describe, expect, it } from 'vitest';
import { readAddress, toQuery } from './list-address.ts';

const queryOf = (address: string) => toQuery(readAddress(new URLSearchParams(address)));

describe('address of the list', () => {
  it('turns days into whole days and GiB into bytes', () => {
    const query = queryOf('expiryFrom=2026-01-31&expiryTo=2026-01-31&usageFrom=0.5&inbound=1,2&autoRenew=on');
    expect(Number(query.expiryTo) - Number(query.expiryFrom)).toBe(86_399_999);
    expect(new Date(Number(query.expiryFrom)).getHours()).toBe(0);
    expect(query).toMatchObject({ usageFrom: '536870912', usageTo: '', inbound: '1,2', autoRenew: 'on' });
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
