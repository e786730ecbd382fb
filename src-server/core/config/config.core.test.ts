import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as base from './cases/base.ts';
import { BROKEN_INBOUNDS, type BrokenInbound } from './cases/broken-inbounds.ts';
import { BROKEN_CLIENTS } from './cases/broken-clients.ts';
import { BROKEN_TEMPLATES, sourceOf } from './cases/broken-templates.ts';
import { createCoreBinary } from './cases/core-binary.ts';
import { GOOD_INBOUNDS } from './cases/good-inbounds.ts';
import { buildCoreConfig } from './core-config.ts';
import { defaultTemplate } from './default-template.ts';
import { checkInbound } from './inbound-rules.ts';
import type { InboundSource, JsonObject } from './source.ts';

let core: Awaited<ReturnType<typeof createCoreBinary>>;
beforeAll(async () => {
  core = await createCoreBinary();
});
afterAll(() => core.close());

const CLIENTS = [base.client({ password: base.KEY_32 })];
const starting = (row: BrokenInbound): boolean => row.core === 'endsAtStart';

function built(inbounds: InboundSource[], template: JsonObject = base.TEMPLATE): JsonObject {
  const options = { ...base.OPTIONS, logFolder: core.folder };
  return buildCoreConfig(base.configSource({ template, inbounds }), options).config;
}

/** The inbound handed to the core as it is stored, without any help. */
function unaided({ inbound }: BrokenInbound): JsonObject {
  const { protocol, listen, port, settings, streamSettings, sniffing } = inbound;
  const place = protocol === 'tun' ? {} : { listen, port };
  return { ...base.TEMPLATE, inbounds: [{ tag: 'in-1', ...place, protocol, settings, streamSettings, sniffing }] };
}

describe('the core loads', () => {
  it.each(GOOD_INBOUNDS)('golden/$name.json', async ({ inbound }) => {
    expect(await core.test(built([inbound]))).toEqual({ code: 0, text: 'Configuration OK.' });
  });

  it('the default template without any geo file', async () => {
    const config = built([], defaultTemplate());
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
    // As stored too: it is what a template check of the panel sees.
    expect(await core.test(defaultTemplate())).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

describe('an inbound that is refused on save', () => {
  it.concurrent.each(BROKEN_INBOUNDS.filter((row) => !starting(row)))(
    'is what the core does not take, and passes once built: $name',
    async (row) => {
      const alone = await core.test(unaided(row));
      expect({ refuses: 23, panics: 2, takes: 0, endsAtStart: 0 }[row.core]).toBe(alone.code);
      expect(checkInbound(row.inbound)).toHaveLength(row.issues.length);
      const config = built([base.source({ ...row.inbound, clients: CLIENTS })]);
      expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
    },
  );

  it.each(BROKEN_INBOUNDS.filter(starting))('ends the core only when it starts: $name', async (row) => {
    expect((await core.test(unaided(row))).code).toBe(0);
    expect((await core.start(unaided(row), 3000)).code).toBe(255);
    expect(checkInbound(row.inbound)).not.toEqual([]);
    const config = built([base.source({ ...row.inbound, clients: CLIENTS })]);
    expect((await core.start(config, 700)).code).toBe(0);
  });
});

describe('a template the core would refuse', () => {
  it.concurrent.each(BROKEN_TEMPLATES)('passes once built: $name', async (row) => {
    const alone = await core.test(row.template);
    expect(alone.code === 0).toBe(!row.refused);
    const { config } = buildCoreConfig(sourceOf(row), { ...base.OPTIONS, logFolder: core.folder });
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

describe('clients the core would refuse', () => {
  it.each(BROKEN_CLIENTS)('do not keep the others from running: $name', async ({ inbound, clients }) => {
    const good = base.client({ ...inbound.good, email: 'good@x' });
    const config = built([base.source({ ...inbound.draft, clients: [good, ...clients] })]);
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

it('starts with the default template, and its private ranges cover mapped addresses', async () => {
  const mapped = { ...base.TEMPLATE, routing: { rules: [{ ip: ['::ffff:0:0/96'], outboundTag: 'direct' }] } };
  expect((await core.test(mapped)).code).toBe(23);
  const config = { ...built([], defaultTemplate()), metrics: { tag: 'metrics_out' } };
  expect((await core.start(config, 700)).code).toBe(0);
});
