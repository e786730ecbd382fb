import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../config/source.ts';
import { jsonPieces, writeConfigFile } from './config-file.ts';

test('the pieces are the JSON text of the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([...jsonPieces(value as Json)].join('')).toBe(JSON.stringify(value));
    }),
  );
});

test('long lists are cut into pieces that stay small', () => {
  const clients = Array.from({ length: 1_000 }, (_, i) => ({ email: `u${i}`, id: 'x'.repeat(30) }));
  const config = { inbounds: [{ settings: { clients } }], outbounds: [] };
  const pieces = [...jsonPieces(config)];
  expect(pieces.join('')).toBe(JSON.stringify(config));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(20_000);
});

test('the file is private and nothing else is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-file-'));
  const config: JsonObject = { a: [1, { b: null }] };
  await writeConfigFile(join(folder, 'c.json'), config);
  await writeConfigFile(join(folder, 'c.json'), { ...config, c: 'ü' });
  expect(readdirSync(folder)).toEqual(['c.json']);
  expect(JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'))).toEqual({ ...config, c: 'ü' });
  if (process.platform !== 'win32') expect(statSync(join(folder, 'c.json')).mode & 0o777).toBe(0o600);
  rmSync(folder, { recursive: true });
});
