import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contract/json.ts';
import { differing, differingEither, entryFacts, inboundFacts, isHidden } from './facts.ts';

const SECRET = 'c2VjcmV0LXRoYXQtbm9ib2R5LXNlZXM';

test('anything possibly secret is a digest, at any path; known public values are shown', () => {
  const facts = inboundFacts(
    {
      remark: 'door',
      settings: { clients: [{ id: SECRET }], decryption: SECRET, password: SECRET, method: 'aes-256-gcm' },
      streamSettings: {
        network: 'tcp',
        realitySettings: { privateKey: SECRET, serverNames: ['a.example'], shortIds: [SECRET], show: false },
        tlsSettings: { certificates: [{ key: [SECRET], certificate: [SECRET] }] },
        unheardOf: { inner: SECRET },
      },
    },
    ['remark', 'settings', 'streamSettings'],
  );
  expect(JSON.stringify(facts)).not.toContain(SECRET);
  expect(facts).toMatchObject({
    remark: 'door',
    'settings.method': 'aes-256-gcm',
    'streamSettings.network': 'tcp',
    'streamSettings.realitySettings.serverNames': '["a.example"]',
    'streamSettings.realitySettings.show': false,
  });
  expect(isHidden(facts['settings.decryption'])).toBe(true);
  expect(Object.keys(facts).some((path) => path.includes('clients'))).toBe(false);
});

test('equal secrets have equal digests, different ones differ', () => {
  const of = (privateKey: string) => inboundFacts({ streamSettings: { privateKey } }, ['streamSettings']);
  expect(differingEither(of('one'), of('one'))).toEqual([]);
  expect(differingEither(of('one'), of('two'))).toEqual(['streamSettings.privateKey']);
  expect(differingEither(of('one'), {})).toEqual(['streamSettings.privateKey']);
});

test('fields, names and texts from a node stay few and short, whatever it sends', () => {
  let deep: JsonObject = { end: 1 };
  for (let level = 0; level < 100; level++) deep = { deep };
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
  const facts = inboundFacts(
    { settings: { deep, ['n'.repeat(9_999)]: 1 }, sniffing: many, remark: 'r'.repeat(9_999) },
    ['settings', 'remark', 'sniffing'] as never,
  );
  expect(Object.keys(facts).length).toBeLessThanOrEqual(500);
  expect(JSON.stringify(facts).length).toBeLessThan(50_000);
  const entry = entryFacts({ email: 'a', group: 'g'.repeat(9_999), totalGB: 'x', flow: 7, reverse: [] }, 3);
  expect(JSON.stringify(entry).length).toBeLessThan(1_000);
});

test('only the fields present in an entry are compared, so fields an older panel omits do not differ', () => {
  const has = entryFacts({ email: 'a', enable: true, id: 'x' }, 3);
  expect(Object.keys(has)).not.toContain('subId');
  expect(differing({ ...has, subId: 'other' }, has)).toEqual([]);
});
