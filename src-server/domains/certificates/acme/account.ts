import { newKeyPair, pemOf } from '../key-pair.ts';
import { accountId, type AcmeAccount, type CertificateStore } from '../certificate-store.ts';
import type { CertificateSpec } from '../contract.ts';
import { AcmeFailure } from './acme-failure.ts';
import { openAcmeSession, type AcmeSession, type AcmeSessionOptions } from './acme-session.ts';

export interface AccountOptions extends Pick<AcmeSessionOptions, 'dialer' | 'directoryUrl' | 'eab' | 'signal'> {
  store: CertificateStore;
  spec: Pick<CertificateSpec, 'allowPrivate' | 'email'>;
}

/**
 * A session as the account for this authority and e-mail; opens the account if needed. Its key is on disk before the
 * authority sees it, so that after a kill in between the same account is requested again.
 * @throws {AcmeFailure}
 */
export async function openAccount(options: AccountOptions): Promise<AcmeSession> {
  const { store, spec, directoryUrl, eab } = options;
  const id = accountId(directoryUrl, spec.email, eab?.kid ?? '');
  const stored = await store.account(id);
  const account = stored ?? { key: pemOf((await newKeyPair('ec256')).privateKey), url: '' };
  if (stored === null) await store.writeAccount(id, account);
  const session = await sessionOf(options, account);
  if (account.url !== '' && (await isKnown(session))) return session;
  const fresh = account.url === '' ? session : await sessionOf(options, { ...account, url: '' });
  await fresh.client.createAccount({
    termsOfServiceAgreed: true,
    ...(spec.email === '' ? {} : { contact: [`mailto:${spec.email}`] }),
  });
  await store.writeAccount(id, { ...account, url: fresh.client.getAccountUrl() });
  return fresh;
}

function sessionOf({ dialer, directoryUrl, eab, signal, spec }: AccountOptions, account: AcmeAccount) {
  const { allowPrivate } = spec;
  return openAcmeSession({
    dialer,
    directoryUrl,
    allowPrivate,
    accountKey: account.key,
    accountUrl: account.url,
    eab,
    signal,
  });
}

/** Authorities forget accounts: staging ones are emptied, private ones are set up anew. */
async function isKnown({ client }: AcmeSession): Promise<boolean> {
  try {
    await client.updateAccount();
    return true;
  } catch (error) {
    if (error instanceof AcmeFailure && error.code === 'certificate.account') return false;
    throw error;
  }
}
