import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../config/source.ts';
import type { CheckConfig } from '../config-check.ts';
import { withoutCulprits } from './culprits.ts';

const tagsOf = (config: JsonObject, key: string): unknown[] =>
  (Array.isArray(config[key]) ? config[key] : []).map((item) => (item as JsonObject).tag);

/** Refuses configs with a tag of `bad`, naming it or not. */
function coreThatRefuses(bad: ReadonlySet<string>, isNaming: boolean): CheckConfig & { calls: number } {
  const check = Object.assign(
    (config: JsonObject): Promise<string> => {
      check.calls += 1;
      for (const kind of ['inbound', 'outbound']) {
        const items = Array.isArray(config[`${kind}s`]) ? (config[`${kind}s`] as JsonObject[]) : [];
        const hit = items.find(({ tag, protocol }) => protocol !== 'blackhole' && bad.has(tag as string));
        if (hit)
          return Promise.resolve(
            isNaming ? `failed to build ${kind} config with tag ${hit.tag as string} > bad` : 'panic: bad',
          );
      }
      return Promise.resolve('');
    },
    { calls: 0 },
  );
  return check;
}

test('leaves out exactly the bad ones, whether the core names them or not', async () => {
  const names = fc.array(fc.boolean(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(names, names, fc.boolean(), async (inboundsBad, outboundsBad, isNaming) => {
      const inbounds = inboundsBad.map((isBad, i) => ({ tag: `i${i}${isBad ? 'x' : ''}` }));
      const outbounds = outboundsBad.map((isBad, i) => ({ tag: `o${i}${isBad ? 'x' : ''}`, protocol: 'freedom' }));
      const bad = new Set([...inbounds, ...outbounds].map(({ tag }) => tag).filter((tag) => tag.endsWith('x')));
      const check = coreThatRefuses(bad, isNaming);
      const config = { inbounds, outbounds };
      const { config: rest, leftOut, reason } = await withoutCulprits(config, await check(config), check);
      expect(reason).toBe('');
      expect(new Set(leftOut.map(({ name }) => name))).toEqual(bad);
      expect(tagsOf(rest, 'inbounds')).toEqual(inbounds.map(({ tag }) => tag).filter((tag) => !bad.has(tag)));
      // The default route keeps its place, with an outbound that lets nothing through.
      expect(tagsOf(rest, 'outbounds')).toEqual(
        outbounds.map(({ tag }) => tag).filter((tag, i) => i === 0 || !bad.has(tag)),
      );
    }),
    { numRuns: 60 },
  );
});

test('a bad default outbound is blocked, not replaced by the next one', async () => {
  const check = coreThatRefuses(new Set(['proxy']), true);
  const config = {
    outbounds: [
      { tag: 'proxy', protocol: 'vless' },
      { tag: 'direct', protocol: 'freedom' },
    ],
  };
  const { config: rest } = await withoutCulprits(config, await check(config), check);
  expect(rest.outbounds).toEqual([
    { tag: 'proxy', protocol: 'blackhole', settings: {} },
    { tag: 'direct', protocol: 'freedom' },
  ]);
});

test('a fault elsewhere is still reported as the reason', async () => {
  const check: CheckConfig = (config) => Promise.resolve(config.routing ? 'app/router: balancer b not found' : '');
  const config = { inbounds: [{ tag: 'a' }], outbounds: [], routing: {} };
  const found = await withoutCulprits(config, 'app/router: balancer b not found', check);
  expect(found).toEqual({ config, leftOut: [], reason: 'app/router: balancer b not found' });
});
