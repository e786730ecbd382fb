import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Schema } from '../schema.ts';
import { spelled } from './spelled.ts';

type IdList = { json: Uint8Array } | { packed: Uint8Array };

/**
 * Ids of a statement in its order, as the bytes of one value: they cross threads and sockets without a copy, and leave
 * neither a hundred thousand rows nor as many numbers to be collected.
 */
export async function readIds(db: Kysely<Schema>, statement: RawBuilder<{ id: number }>): Promise<Uint32Array> {
  const { rows } = await spelled<IdList>(
    sql`SELECT CAST(json_group_array(id) AS BLOB) AS json FROM (${statement}) AS found`,
    sql`SELECT coalesce(string_agg(int4send(CAST(id AS int)), ''), '') AS packed FROM (${statement}) AS found`,
  ).execute(db);
  const list = rows[0]!;
  return 'packed' in list ? unpacked(list.packed) : idsIn(list.json);
}

/** Four bytes each, the highest first. */
function unpacked(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Uint32Array.from({ length: packed.byteLength / 4 }, (_, at) => view.getUint32(at * 4));
}

const ZERO = 0x30;

/** The ids in `[1,22,333]`. */
function idsIn(json: Uint8Array): Uint32Array {
  const ids = new Uint32Array(json.length >> 1);
  let count = 0;
  let id = 0;
  for (let at = 0; at < json.length; at++) {
    const digit = json[at]! - ZERO;
    if (digit >= 0 && digit <= 9) id = id * 10 + digit;
    else if (id > 0) {
      ids[count++] = id;
      id = 0;
    }
  }
  return ids.slice(0, count);
}
