import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packBackup } from './pack-backup.ts';

const MIB = 1024 * 1024;

/** A stream of 1 MiB chunks; `made` counts those that were read. */
function pieces(count: number, piece: () => Buffer) {
  const made = { count: 0 };
  const body = Readable.from(
    (function* () {
      for (; made.count < count; made.count += 1) yield piece();
    })(),
    { highWaterMark: 1 },
  );
  return { source: { name: 'panel.db', size: count * MIB, body }, made };
}

test('a file that is too large is compressed', async () => {
  const zeros = Buffer.alloc(MIB);
  const packed = await packBackup(pieces(60, () => zeros).source, '');
  expect(packed.name).toBe('panel.db.gz');
  expect(gunzipSync(packed.bytes)).toHaveLength(60 * MIB);
});

test('a file that is too large even compressed is refused, and read no further', async () => {
  const noise = randomBytes(MIB);
  const mixed = () => Buffer.concat([noise.subarray(0, MIB / 2), randomBytes(MIB / 2)]);
  const { source, made } = pieces(1_000, mixed);
  await expect(packBackup(source, '')).rejects.toMatchObject({ code: 'bot.backupTooLarge' });
  expect(made.count).toBeLessThan(200);
  expect(source.body.destroyed).toBe(true);
});
