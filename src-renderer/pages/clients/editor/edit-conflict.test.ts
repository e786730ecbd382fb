import { describe, expect, it } from 'vitest';
import { NEW_CLIENT } from './client-form.ts';
import { changedFields, mergedForm } from './edit-conflict.ts';

const base = { ...NEW_CLIENT, email: 'alice', comment: 'old', inboundIds: ['1'] };

describe('a client changed elsewhere while its form is open', () => {
  it('names what they changed', () => {
    expect(changedFields(base, { ...base, comment: 'theirs', inboundIds: ['1', '2'] })).toEqual([
      'inboundIds',
      'comment',
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
