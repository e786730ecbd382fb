import { randomBytes } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Certificate, CertificateSave, CertificateUse } from './contract.ts';
import { createOrders, sealOf, type OrderDeps } from './orders.ts';
import { presentCertificate } from './present.ts';
import * as rows from './repository.ts';
import { usersOf, type ServerFiles } from './used-by.ts';
import { checkedSpec, readSpec } from './certificate-spec.ts';

export interface CertificateServiceDeps extends OrderDeps {
  /** The settings in force, and those that apply after the next start. */
  serverFiles: () => readonly ServerFiles[];
}

const MAX_CERTIFICATES = 100;
const NOT_TRIED = { failures: 0, nextTryAtMs: 0 } as const;
const NEW = { ...NOT_TRIED, isObtained: 0, revokedPin: '', lastFailure: '' } as const;

/** Certificates by name: obtained from authorities and renewed in time, or self-signed. */
export function createCertificateService(deps: CertificateServiceDeps) {
  const { store, secrets, files, hooks, publish, clock, log } = deps;
  const orders = createOrders(deps);
  const changed = (): void => publish({ type: 'invalidate', resource: 'settings' });

  async function known(id: number): Promise<rows.CertificateRow> {
    const row = await rows.findCertificate(store.reader, id);
    if (row === undefined) throw new DomainError('certificate.unknown');
    return row;
  }

  const usesOf = (row: rows.CertificateRow): Promise<CertificateUse[]> =>
    usersOf(files.fileOf(row.fileId), { store, settings: deps.serverFiles(), folder: files.folder });

  const present = async (row: rows.CertificateRow): Promise<Certificate> =>
    presentCertificate(row, {
      nowMs: clock(),
      spec: readSpec(row.wanted),
      file: files.fileOf(row.fileId),
      facts: await files.facts(row.fileId),
      jobId: orders.jobOf(row.id),
      usedBy: await usesOf(row),
    });

  /** The external account key to store: a blank one keeps the old key as long as the account id is unchanged. */
  function sealedKey(fileId: string, given: CertificateSave, before: rows.CertificateRow | null): string {
    if (given.eabKid === '') return '';
    if (given.eabHmacKey !== '') return secrets.seal(sealOf(fileId), given.eabHmacKey);
    return before !== null && readSpec(before.wanted).eabKid === given.eabKid ? before.eabHmacKey : '';
  }

  return {
    async list() {
      const all = await rows.allCertificates(store.reader);
      const certificates = await Promise.all(all.map(present));
      return { certificates, dnsHooks: await hooks.list(), dnsHookFolder: hooks.folder };
    },

    /** @throws {DomainError} `certificate.*` */
    async save(given: CertificateSave): Promise<{ id: number }> {
      const { id, name, eabHmacKey: key, ...wanted } = given;
      const before = id === undefined ? null : await known(id);
      if (id !== undefined) orders.requireIdle(id);
      if (!/^[\w-]*=*$/.test(key)) throw new DomainError('certificate.eabKey', {}, { field: 'eabHmacKey' });
      const fileId = before?.fileId ?? randomBytes(6).toString('hex');
      const eabHmacKey = sealedKey(fileId, given, before);
      const spec = await checkedSpec(wanted, {
        hasEabKey: eabHmacKey !== '',
        hookFolder: hooks.folder,
        isHookUsable: hooks.isUsable,
      });
      const nowMs = clock();
      const next = { name, nameKey: foldText(name), wanted: JSON.stringify(spec), eabHmacKey, updatedAtMs: nowMs };
      const saved = await store.write(async (trx) => {
        const other = await rows.idOfName(trx, next.nameKey);
        if (other !== undefined && other !== id) throw new DomainError('certificate.nameTaken', {}, { field: 'name' });
        if (before !== null) {
          // The change may have fixed the cause of the failure.
          await rows.changeCertificate(trx, before.id, { ...next, ...NOT_TRIED });
          return before.id;
        }
        if ((await rows.allCertificates(trx)).length >= MAX_CERTIFICATES)
          throw new DomainError('certificate.tooMany', { max: MAX_CERTIFICATES });
        return rows.insertCertificate(trx, { ...NEW, ...next, fileId, createdAtMs: nowMs });
      });
      changed();
      if (before === null && spec.source === 'selfSigned') orders.start(await known(saved), false);
      return { id: saved };
    },

    /**
     * Asks the running panel to obtain it; called from an admin command.
     * @throws {DomainError} `certificate.unknown`
     */
    async requestOrder(id: number): Promise<void> {
      await known(id);
      await store.write((trx) => rows.changeCertificate(trx, id, { askedAtMs: clock() }));
    },

    /** @throws {DomainError} `certificate.unknown`, `certificate.busy` */
    obtain: async (id: number): Promise<{ jobId: string }> => ({ jobId: orders.start(await known(id), false) }),

    /** @throws {DomainError} `certificate.*` */
    async revoke(id: number): Promise<void> {
      const row = await known(id);
      orders.requireIdle(id);
      if (readSpec(row.wanted).source === 'selfSigned') throw new DomainError('certificate.selfSignedRevoke');
      const facts = await files.facts(row.fileId);
      if (facts === null) throw new DomainError('certificate.noneYet');
      await orders.revoke(row);
      await store.write((trx) => rows.changeCertificate(trx, id, { revokedPin: facts.pin }));
      log.warn('certificates.revoked', { name: row.name });
      changed();
    },

    /** @throws {DomainError} `certificate.unknown`, `certificate.busy`, `certificate.inUse…` */
    async remove(id: number): Promise<void> {
      const row = await known(id);
      orders.requireIdle(id);
      requireUnused(await usesOf(row));
      // The key is deleted first: a kill in between leaves a row to delete again, and no orphaned key.
      await files.remove(row.fileId);
      await store.write((trx) => rows.deleteCertificate(trx, id));
      changed();
    },

    start: orders.begin,
    close: orders.close,
  };
}
export type CertificateService = ReturnType<typeof createCertificateService>;

function requireUnused(uses: readonly CertificateUse[]): void {
  const owners = new Set(uses.map(({ owner }) => owner));
  if (owners.has('panel')) throw new DomainError('certificate.inUseByPanel');
  if (owners.has('subscription')) throw new DomainError('certificate.inUseBySubscription');
  if (owners.has('inbound'))
    throw new DomainError('certificate.inUse', { inbounds: uses.map(({ name }) => `"${name}"`).join(', ') });
}
