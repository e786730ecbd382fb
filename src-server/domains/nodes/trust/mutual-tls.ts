import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import { isRenewalDue, issueAuthority, issueClient, issueNode, type Issued } from './issue-certificate.ts';

type StoredKey =
  | 'nodesFindPanelAt'
  | 'nodeMtlsCaCertPem'
  | 'nodeMtlsCaKeyPem'
  | 'nodeMtlsClientCertPem'
  | 'nodeMtlsClientKeyPem'
  | 'nodeMtlsClientCertSha256'
  | 'nodeMtlsClientCAPem';

/** Storage for certificates and keys; keys are sealed. */
export interface MutualTlsValues {
  hidden(key: StoredKey, trx?: WriteTransaction): Promise<string>;
  setHidden(key: StoredKey, value: string, trx?: WriteTransaction): Promise<void>;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * This panel's own authority and the client certificate that it presents to nodes, and the authority whose certificates
 * give access to this panel. Created once and never again automatically: a new authority would disconnect every node
 * that trusts the old one, so half of a pair is an error.
 */
export function createMutualTls({
  store,
  values,
  clock,
}: {
  store: Pick<Store, 'write'>;
  values: MutualTlsValues;
  clock: () => number;
}) {
  async function pair(cert: StoredKey, key: StoredKey, trx?: WriteTransaction): Promise<Issued | null> {
    const found = { cert: await values.hidden(cert, trx), key: await values.hidden(key, trx) };
    if (found.cert === '' && found.key === '') return null;
    return isPair(found) ? found : { cert: '', key: '' };
  }

  /** @throws {DomainError} `node.authorityIncomplete` */
  async function storedAuthority(trx?: WriteTransaction): Promise<Issued | null> {
    const stored = await pair('nodeMtlsCaCertPem', 'nodeMtlsCaKeyPem', trx);
    if (stored?.cert === '') throw new DomainError('node.authorityIncomplete');
    return stored;
  }

  async function authority(trx: WriteTransaction): Promise<Issued> {
    const stored = await storedAuthority(trx);
    if (stored !== null) return stored;
    const made = await issueAuthority(clock());
    await values.setHidden('nodeMtlsCaCertPem', made.cert, trx);
    await values.setHidden('nodeMtlsCaKeyPem', made.key, trx);
    return made;
  }

  /** @throws {DomainError} `node.clientCertificateIncomplete` */
  async function storedClient(trx?: WriteTransaction): Promise<Issued | null> {
    const stored = await pair('nodeMtlsClientCertPem', 'nodeMtlsClientKeyPem', trx);
    const fingerprint = await values.hidden('nodeMtlsClientCertSha256', trx);
    if (stored === null && fingerprint === '') return null;
    const isWhole = stored !== null && stored.cert !== '' && fingerprintOf(stored.cert) === fingerprint;
    if (!isWhole) throw new DomainError('node.clientCertificateIncomplete');
    return stored;
  }

  async function client(trx: WriteTransaction, authority: Issued): Promise<Issued> {
    const stored = await storedClient(trx);
    if (stored !== null && !isDue(stored)) return stored;
    const made = await issueClient(authority, clock());
    await values.setHidden('nodeMtlsClientCertPem', made.cert, trx);
    await values.setHidden('nodeMtlsClientKeyPem', made.key, trx);
    await values.setHidden('nodeMtlsClientCertSha256', fingerprintOf(made.cert), trx);
    return made;
  }

  /** Nodes know the authority, so a newly issued certificate gives access like the previous one. */
  const isDue = ({ cert }: Issued): boolean => isRenewalDue(new X509Certificate(cert), clock());

  async function clientIdentity(): Promise<Issued> {
    // Every call to a node gets here, and only the very first one has something to write.
    const stored = (await storedAuthority()) === null ? null : await storedClient();
    if (stored !== null && !isDue(stored)) return stored;
    return store.write(async (trx) => client(trx, await authority(trx)));
  }

  return {
    /**
     * The authority that nodes must trust, created with the client certificate if there is none.
     * @throws {DomainError} `node.authorityIncomplete`, `node.clientCertificateIncomplete`
     */
    authorityCert: (): Promise<string> =>
      store.write(async (trx) => {
        const own = await authority(trx);
        await client(trx, own);
        return own.cert;
      }),

    /** The certificate this panel presents to nodes. @throws {DomainError} as `authorityCert` */
    clientIdentity,

    /** The same for trunks: with the authority, which an enrolling node knows only by its key. */
    async trunkIdentity(): Promise<Issued & { authority: string }> {
      const own = await clientIdentity();
      const stored = await storedAuthority();
      if (stored === null) throw new DomainError('node.authorityIncomplete');
      return { cert: `${own.cert}${stored.cert}`, key: own.key, authority: stored.cert };
    },

    /** A certificate for an enrolled node, PEM. @throws {DomainError} as `authorityCert` */
    async issueNode(publicKey: KeyObject, name: string): Promise<string> {
      const own = await store.write((trx) => authority(trx));
      return issueNode(own, { publicKey, name, nowMs: clock() });
    },

    /**
     * Sets the authority whose certificates give admin access here, from the next start on. An empty text ends that.
     * @throws {DomainError} `node.trustInvalid`
     */
    async trust(text: string): Promise<void> {
      const bundle = text.trim();
      const blocks = bundle.match(BLOCK) ?? [];
      // Lenient parsers accept a bundle after its first valid block; here every byte must belong to a certificate.
      if (bundle.replaceAll(BLOCK, '').trim() !== '') throw invalid('only PEM certificates are allowed');
      for (const block of blocks) requireCertificate(block);
      await values.setHidden('nodeMtlsClientCAPem', blocks.length === 0 ? '' : `${blocks.join('\n')}\n`);
    },
  };
}
export type MutualTls = ReturnType<typeof createMutualTls>;

const fingerprintOf = (cert: string): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('hex');

/** Whether both exist and match. */
function isPair({ cert, key }: Issued): boolean {
  if (cert === '' || key === '') return false;
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function requireCertificate(block: string): void {
  try {
    void new X509Certificate(block);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

const invalid = (text: string): DomainError => new DomainError('node.trustInvalid', { text }, { field: 'caCert' });
