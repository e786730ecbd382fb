import { describe, expect, it } from 'vitest';
import { changedFields, mergedForm } from './changed-fields.ts';

const base = { email: 'alice', comment: 'old', group: '', limitIp: 0, inboundIds: ['1'] };

describe('a row changed elsewhere while its form is open', () => {
  it('names what they changed', () => {
    expect(changedFields(base, { ...base, comment: 'theirs', inboundIds: ['1', '2'] })).toEqual([
      'comment',
      'inboundIds',
    ]);
    expect(changedFields(base, { ...base })).toEqual([]);
  });

  it('keeps what was typed here and takes the rest from them', () => {
    const merged = mergedForm(
      base,
      { ...base, limitIp: 3, comment: 'mine' },
      { ...base, comment: 'theirs', group: 'VIP' },
    );
    expect(merged).toMatchObject({ limitIp: 3, comment: 'mine', group: 'VIP', email: 'alice' });
  });
});
