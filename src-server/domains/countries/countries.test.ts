import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { geoFile } from '../../testing/geo-file.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';

const panel = forEachTest(openPanel);

const countriesOf = (...addresses: string[]) => panel.done<Record<string, string>>('/server/countries', { addresses });
const place = () => join(panel.parts.engine.core.assetDir, 'geoip.dat');
/** Longer than the panel assumes a file to be unchanged. */
const later = () => panel.advance(11_000);

test("countries come from the core's own geoip.dat, and from a new one once it is installed", async () => {
  expect(await countriesOf('8.8.8.8')).toEqual({});
  await writeFile(
    place(),
    geoFile({
      DE: ['5.1.0.0/16', '5.2.0.0/16', '2a00:1450::/32', '91.0.0.1/32'],
      ir: ['5.3.0.0/17', '2a01:5ec0::/29', '::ffff:0:0/128'],
      US: ['0.0.0.0/8', '255.255.255.255/32', '2600::/12'],
      PRIVATE: ['10.0.0.0/8'],
      cloudflare: ['5.1.0.0/16'],
    }),
  );
  await later();
  expect(
    await countriesOf(
      '5.1.0.0',
      '5.2.255.255',
      '5.3.127.255',
      '5.3.128.0',
      '91.0.0.1',
      '91.0.0.2',
      '0.1.2.3',
      '255.255.255.255',
      '::ffff:5.1.2.3',
      '2a00:1450:4001::1',
      '2a00:1451::',
      '2a01:5ec7:ffff::',
      '2600:1::',
      '10.0.0.1',
      '',
      'no address',
      'node.example',
    ),
  ).toEqual({
    '5.1.0.0': 'DE',
    '5.2.255.255': 'DE',
    '5.3.127.255': 'IR',
    '91.0.0.1': 'DE',
    '0.1.2.3': 'US',
    '255.255.255.255': 'US',
    '::ffff:5.1.2.3': 'DE',
    '2a00:1450:4001::1': 'DE',
    '2a01:5ec7:ffff::': 'IR',
    '2600:1::': 'US',
  });

  await writeFile(place(), geoFile({ NL: ['5.1.0.0/16'] }));
  await utimes(place(), 1, 1);
  await later();
  expect(await countriesOf('5.1.0.0', '91.0.0.1')).toEqual({ '5.1.0.0': 'NL' });
});

test('a damaged, unrelated or missing file knows no country', async () => {
  const whole = geoFile({ DE: ['5.1.0.0/16'] });
  for (const bytes of [whole.subarray(0, whole.length - 3), Buffer.from('<html>'), Buffer.alloc(0)]) {
    await writeFile(place(), bytes);
    await later();
    expect(await countriesOf('5.1.0.0')).toEqual({});
  }
  await rm(place());
  await later();
  expect(await countriesOf('5.1.0.0')).toEqual({});
});
