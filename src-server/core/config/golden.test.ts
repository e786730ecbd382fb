import { describe, expect, it } from 'vitest';
import { GOOD_INBOUNDS } from '../../testing/core-config/good-inbounds.ts';
import * as base from '../../testing/core-config/base.ts';
import { buildCoreConfig } from './core-config.ts';
import { defaultTemplate } from './template/default-template.ts';
import { buildInbound } from './inbound/inbound-config.ts';
import { checkInbound, normaliseInbound } from './inbound/inbound-rules.ts';
import type { Json } from './source.ts';

const pretty = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`;

describe('inbounds the core runs', () => {
  it.each(GOOD_INBOUNDS)('are rendered as in golden/$name.json', async ({ name, inbound }) => {
    const built = buildInbound(inbound);
    expect(built.leftOut).toEqual([]);
    await expect(pretty(built.inbound)).toMatchFileSnapshot(`golden/${name}.json`);
  });

  it.each(GOOD_INBOUNDS.filter(({ name }) => name !== 'tun-legacy' && !name.endsWith('healed')))(
    'can be saved in their normal form: $name',
    ({ inbound }) => {
      const { listen, port, protocol, settings, streamSettings, sniffing } = inbound;
      const normal = normaliseInbound({ listen, port, protocol, settings, streamSettings, sniffing });
      expect(checkInbound(normal)).toEqual([]);
      expect(normaliseInbound(normal)).toEqual(normal);
    },
  );
});

it('the whole config is rendered as in golden/core-config.json', async () => {
  const [first, second] = GOOD_INBOUNDS.map(({ inbound }) => inbound);
  const inbounds = [first, second].flatMap((inbound, index) => {
    return inbound === undefined ? [] : [{ ...inbound, id: index, port: 40_443 + index, tag: `in-${index}` }];
  });
  const { config, leftOut, warnings } = buildCoreConfig(
    base.configSource({ template: defaultTemplate(), inbounds }),
    base.OPTIONS,
  );
  expect([leftOut, warnings]).toEqual([[], []]);
  await expect(pretty(config)).toMatchFileSnapshot('golden/core-config.json');
});
