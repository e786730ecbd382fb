import { expect, test } from 'vitest';
import { kindOf } from './inbound-kind.ts';

test('shows only what is readable of broken sections', () => {
  expect(kindOf({ protocol: 'vless', streamSettings: '{broken' })).toEqual(['vless']);
  expect(kindOf({ protocol: 'vless', streamSettings: { network: 'ws', security: 'none' } })).toEqual(['vless', 'ws']);
});
