import { expect, it } from 'vitest';
import type { JsonObject } from '../core/config/source.ts';
import { recordingLogger } from '../testing/test-store.ts';
import { createPanelEgress, leadsFar } from './panel-egress.ts';

const template: JsonObject = {
  outbounds: [
    { tag: 'direct', protocol: 'freedom' },
    { tag: 'exit-1', protocol: 'vless' },
    { tag: 'exit-2', protocol: 'VMess' },
  ],
  routing: {
    balancers: [
      { tag: 'exits', selector: ['exit-', 'sub1-'] },
      { tag: 'safe', selector: ['exit-'], fallbackTag: 'direct' },
      { tag: 'empty', selector: ['none-'] },
    ],
  },
};
const subscribed = { prepend: [], append: [{ tag: 'sub1-tokyo', protocol: 'trojan' }] };

it.each([
  ['direct', false],
  ['exit-1', true],
  ['exit-2', true],
  ['sub1-tokyo', true],
  ['exits', true],
  ['safe', false],
  ['empty', false],
  ['gone', false],
])('%s dials far away: %s', (target, isFar) => {
  expect(leadsFar(target, template, subscribed)).toBe(isFar);
});

it('is the running bridge; without one the panel connects directly and logs that', async () => {
  let target = '';
  let port: number | null = null;
  const log = recordingLogger();
  const egress = createPanelEgress({
    target: () => target,
    bridgePort: (tag) => (tag === 'panel-egress' ? port : null),
    readTemplate: async () => template,
    readSubscribed: async () => subscribed,
    log,
  });
  expect(await egress()).toBeNull();
  expect(log.lines).toEqual([]);
  target = 'exits';
  expect(await egress()).toBeNull();
  expect(log.lines).toMatchObject([{ level: 'warn', event: 'egress.direct', fields: { target: 'exits' } }]);
  port = 62_790;
  expect(await egress()).toEqual({ via: 62_790, isFar: true });
});
