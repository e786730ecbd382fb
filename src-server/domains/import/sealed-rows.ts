import type Database from 'better-sqlite3';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { masterKeySeal } from '../nodes/masters/repository.ts';
import { tokenSeal } from '../nodes/registry.ts';
import { sealOf } from '../webhooks/sender.ts';
import type { ImportPlan } from './contract.ts';
import { LEFT_OUT_KINDS, leftOut } from './left-out.ts';

interface SealedRow {
  id: string | number;
  name: string;
  sealed: string;
}

/** Secrets in rows: those of nodes, of masters, and the signing secrets of webhooks. */
const SEALED: readonly { table: string; query: string; sealOf: (row: SealedRow) => string }[] = [
  {
    table: 'nodes',
    query: 'SELECT id, name, apiToken AS sealed FROM nodes ORDER BY id',
    sealOf: ({ id }) => tokenSeal(Number(id)),
  },
  {
    table: 'masters',
    query: 'SELECT trunkId AS id, name, "key" AS sealed FROM masters ORDER BY name',
    sealOf: ({ id }) => masterKeySeal(String(id)),
  },
  {
    table: 'webhooks',
    query: 'SELECT id, name, secret AS sealed FROM webhooks ORDER BY id',
    sealOf: ({ id }) => sealOf(Number(id)),
  },
];

/**
 * Secrets in rows that this data folder's key cannot open. They stay: what needs one says that it is lost, and an empty
 * one would mean that there never was one.
 */
export function lostInRows(db: Database.Database, secrets: Secrets): ImportPlan['cannotCome'] {
  return SEALED.flatMap((each) =>
    (db.prepare(each.query).all() as SealedRow[])
      .filter((row) => secrets.open(each.sealOf(row), row.sealed) === null)
      .map(({ name }) => ({
        what: LEFT_OUT_KINDS.secret,
        kind: 'secret' as const,
        name: `${each.table}: ${name}`,
        ...leftOut('leftOut.sealed'),
      })),
  );
}
