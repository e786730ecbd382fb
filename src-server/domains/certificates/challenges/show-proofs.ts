import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { AcmeChallenges } from '../../../certificates/acme-challenges.ts';
import type { Proof } from '../acme/order-certificate.ts';
import type { CertificateSpec, Challenge } from '../contract.ts';
import { pemOf } from '../key-pair.ts';
import { listenForAuthority, type OwnListener } from './challenge-listener.ts';
import type { DnsHooks } from './dns-hooks.ts';

const STANDARD_PORTS: Readonly<Record<Challenge, number>> = { 'http-01': 80, 'tls-alpn-01': 443, 'dns-01': 0 };

export interface ProofDeps {
  challenges: AcmeChallenges;
  hooks: DnsHooks;
  /** The panel's current listeners. */
  listeners: () => readonly OwnListener[];
  /** Throws an error that names the user of a port, if known. */
  whoHas: (address: string, port: number) => Promise<void>;
}

/** Port that the authority connects to; 0 = none. */
export const standardPort = (challenge: Challenge): number => STANDARD_PORTS[challenge];

/**
 * Presents to the authority the proof for each name.
 * @returns stops presenting
 * @throws {DomainError} `certificate.*`, and the errors of a taken port
 */
export async function showProofs(
  deps: ProofDeps,
  spec: CertificateSpec,
  proofs: readonly Proof[],
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { challenges, hooks } = deps;
  const { challenge } = spec;
  if (challenge === 'dns-01') {
    const records = proofs.map(({ name, keyAuthorization }) => ({
      hook: spec.dnsHook,
      arguments: spec.dnsArguments,
      record: `_acme-challenge.${name}`,
      value: keyAuthorization,
    }));
    const remove = await hooks.add(records, signal);
    try {
      await delay(spec.dnsWaitSeconds * 1000, undefined, { signal });
    } catch (error) {
      await remove();
      throw error;
    }
    return remove;
  }
  const isTls = challenge === 'tls-alpn-01';
  const place = { address: spec.challengeAddress, port: spec.challengePort || standardPort(challenge), isTls };
  const close = await listenForAuthority(place, challenges, deps.listeners(), deps.whoHas);
  const ends = isTls
    ? await Promise.all(proofs.map((proof) => offerTls(challenges, proof)))
    : proofs.map(({ token, keyAuthorization }) => challenges.offerHttp(token, keyAuthorization));
  return async () => {
    for (const end of ends) end();
    await close();
  };
}

/** The certificate of a TLS challenge has its own key. */
async function offerTls(challenges: AcmeChallenges, { name, keyAuthorization }: Proof): Promise<() => void> {
  const { crypto } = await import('../acme/acme-library.ts');
  const key = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  const [, cert] = await crypto.createAlpnCertificate(
    { identifier: { type: 'dns', value: name } } as Parameters<typeof crypto.createAlpnCertificate>[0],
    keyAuthorization,
    key,
  );
  return challenges.offerTls(name, createSecureContext({ cert, key }));
}
