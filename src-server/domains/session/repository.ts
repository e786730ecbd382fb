import { type Insertable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row, Schema } from '../../store/schema.ts';

export type AdminRow = Row<'admins'>;
export type SessionRow = Row<'sessions'>;

export function findAdminByName(db: Db, username: string): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('username', '=', username).executeTakeFirst();
}

export function findAdmin(db: Db, id: number): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The admin for whom callers without a session act. */
export function findFirstAdmin(db: Db): Promise<AdminRow | undefined> {
  return db.selectFrom('admins').selectAll().orderBy('id').limit(1).executeTakeFirst();
}

export async function insertAdmin(
  trx: WriteTransaction,
  admin: Pick<AdminRow, 'username' | 'passwordHash'>,
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto('admins')
    .values({ ...admin, loginEpoch: 0, lastTotpStep: 0, createdAtMs: nowMs, updatedAtMs: nowMs })
    .execute();
}

/** Stores new credentials and ends every session of the admin. */
export async function replaceCredentials(
  trx: WriteTransaction,
  id: number,
  { username, passwordHash }: Pick<AdminRow, 'username' | 'passwordHash'>,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('admins')
    .set(({ eb }) => ({ username, passwordHash, loginEpoch: eb('loginEpoch', '+', 1), updatedAtMs: nowMs }))
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('sessions').where('adminId', '=', id).execute();
}

/** Codes of one step earlier and later are accepted: a used one that is later than that was used while the clock was ahead. */
const MAX_DRIFT = 2;

/**
 * Uses a code up. @returns false when it, or a later one, was already used: of two requests with one code one succeeds.
 */
export async function useTotpStep(trx: WriteTransaction, adminId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('admins')
    .set({ lastTotpStep: step })
    .where('id', '=', adminId)
    .where((eb) => eb.or([eb('lastTotpStep', '<', step), eb('lastTotpStep', '>', step + MAX_DRIFT)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Without a row a setting has its built-in value: disabled, and no secret. */
export async function switchTwoFactorOff(trx: WriteTransaction): Promise<void> {
  await trx.deleteFrom('settings').where('key', 'in', ['twoFactorEnable', 'twoFactorToken']).execute();
}

/** A session with its admin, unless all of the admin's sessions have been ended since. */
export function findSession(db: Db, idHash: string): Promise<(SessionRow & { username: string }) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', (join) =>
      join.onRef('admins.id', '=', 'sessions.adminId').onRef('admins.loginEpoch', '=', 'sessions.loginEpoch'),
    )
    .selectAll('sessions')
    .select('admins.username')
    .where('sessions.idHash', '=', idHash)
    .executeTakeFirst();
}

export function listSessions(db: Db, adminId: number, nowMs: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('admins', (join) =>
      join.onRef('admins.id', '=', 'sessions.adminId').onRef('admins.loginEpoch', '=', 'sessions.loginEpoch'),
    )
    .selectAll('sessions')
    .where('adminId', '=', adminId)
    .where('expiresAtMs', '>', nowMs)
    .orderBy('sessions.createdAtMs', 'desc')
    .orderBy('idHash')
    .execute();
}

/** Stores a session; removes expired ones, and the oldest of this admin beyond `keep`. */
export async function insertSession(
  trx: WriteTransaction,
  session: Insertable<Schema['sessions']>,
  keep: number,
): Promise<void> {
  await trx.deleteFrom('sessions').where('expiresAtMs', '<=', session.createdAtMs).execute();
  await trx.insertInto('sessions').values(session).execute();
  await trx
    .deleteFrom('sessions')
    .where('idHash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('idHash')
        .where('adminId', '=', session.adminId)
        .orderBy('createdAtMs', 'desc')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(keep),
    )
    .where('idHash', '<>', session.idHash)
    .execute();
}

export async function deleteSession(trx: WriteTransaction, idHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('idHash', '=', idHash).execute();
}

/** Ends all sessions of an admin but one. */
export async function deleteOtherSessions(trx: WriteTransaction, adminId: number, keptIdHash: string): Promise<void> {
  await trx.deleteFrom('sessions').where('adminId', '=', adminId).where('idHash', '<>', keptIdHash).execute();
}
