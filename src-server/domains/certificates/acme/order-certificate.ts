import { createPrivateKey } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Authorization, Client, Order } from 'acme-client';
import { parseCertificate } from '../../../certificates/read-certificate.ts';
import { namesOn } from '../../../certificates/certificate-warnings.ts';
import { newKeyPair, pemOf } from '../key-pair.ts';
import type { Challenge, KeyType } from '../contract.ts';
import { AcmeFailure, challengeFailure, readProblem, requestFailure } from './acme-failure.ts';
import type { AcmeSession } from './acme-session.ts';

/** An authority validates from several places and may queue orders; after this time the order is given up. */
const MAX_MINUTES = 10;
const LOOK_MS = { first: 500, most: 5_000 };

/** The response to the challenge of one name. */
export interface Proof {
  /** Without the `*.` of a wildcard. */
  name: string;
  token: string;
  /** The value that the challenge requires. */
  keyAuthorization: string;
}

export interface OrderWork {
  names: readonly string[];
  keyType: KeyType;
  challenge: Challenge;
  /** Port that the authority connects to, as the operator has to open it. */
  port: number;
  /** Extra time that presenting the proofs may take. */
  showSeconds: number;
  /** Presents the proofs until the returned function is called. */
  show(proofs: readonly Proof[], signal: AbortSignal): Promise<() => Promise<void>>;
  /** Called as each step begins: `order`, `prove`, `check`, `sign`. */
  onStep(step: OrderStep): void;
  signal: AbortSignal;
}
export type OrderStep = 'order' | 'prove' | 'check' | 'sign';

type AnyChallenge = Authorization['challenges'][number];

/**
 * Orders a certificate with a new key.
 * @returns PEM of key and chain
 * @throws {AcmeFailure} `certificate.*`
 */
export async function orderCertificate({ client, retryAfterMs }: AcmeSession, work: OrderWork): Promise<string> {
  const minutes = MAX_MINUTES + Math.ceil(work.showSeconds / 60);
  const late = AbortSignal.timeout(minutes * 60_000);
  const signal = AbortSignal.any([work.signal, late]);
  const wait = async (turn: number): Promise<void> => {
    const own = Math.min(LOOK_MS.first * 2 ** turn, LOOK_MS.most);
    await delay(Math.max(own, Math.min(retryAfterMs(), LOOK_MS.most)), undefined, { signal });
  };
  try {
    work.onStep('order');
    const order = await client.createOrder({ identifiers: work.names.map((value) => ({ type: 'dns', value })) });
    const authorizations = (await client.getAuthorizations(order)).filter(({ status }) => status !== 'valid');
    if (authorizations.length > 0) await prove(client, authorizations, work, wait, signal);
    work.onStep('sign');
    return await signed(client, order, work, wait);
  } catch (error) {
    if (late.aborted && !work.signal.aborted) throw new AcmeFailure('certificate.tooSlow', { minutes });
    throw error;
  }
}

async function prove(
  client: Client,
  authorizations: readonly Authorization[],
  work: OrderWork,
  wait: (turn: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const chosen = authorizations.map((authorization) => challengeOf(authorization, work));
  const proofs = await Promise.all(
    chosen.map(async (challenge, at): Promise<Proof> => ({
      name: authorizations[at]!.identifier.value,
      token: challenge.token,
      keyAuthorization: await client.getChallengeKeyAuthorization(challenge),
    })),
  );
  work.onStep('prove');
  const hide = await work.show(proofs, signal);
  try {
    work.onStep('check');
    for (const challenge of chosen) await client.completeChallenge(challenge);
    await untilProven(client, authorizations, work, wait);
  } finally {
    await hide();
  }
}

function challengeOf({ identifier, challenges, status }: Authorization, { challenge, port }: OrderWork): AnyChallenge {
  const found = challenges.find(({ type }) => type === challenge);
  if (status === 'invalid') throw challengeFailure(problemOf(found), identifier.value, port);
  if (found === undefined) throw new AcmeFailure('certificate.challengeMissing', { challenge, name: identifier.value });
  return found;
}

async function untilProven(
  client: Client,
  authorizations: readonly Authorization[],
  { challenge, port }: OrderWork,
  wait: (turn: number) => Promise<void>,
): Promise<void> {
  let left = authorizations.map(({ url }) => url);
  for (let turn = 0; left.length > 0; turn++) {
    await wait(turn);
    const seen = await client.getAuthorizations({ authorizations: left } as Order);
    for (const { status, identifier, challenges } of seen) {
      if (status === 'valid' || status === 'pending') continue;
      const failed = challenges.find(({ type }) => type === challenge);
      throw challengeFailure(problemOf(failed), identifier.value, port);
    }
    left = seen.filter(({ status }) => status === 'pending').map(({ url }) => url);
  }
}

const problemOf = (challenge: AnyChallenge | undefined) =>
  readProblem((challenge as { error?: unknown } | undefined)?.error);

async function signed(
  client: Client,
  order: Order,
  { names, keyType }: OrderWork,
  wait: (turn: number) => Promise<void>,
): Promise<string> {
  const { crypto } = await import('./acme-library.ts');
  const { privateKey } = await newKeyPair(keyType);
  const key = pemOf(privateKey);
  const [, csr] = await crypto.createCsr({ altNames: [...names] }, key);
  let now = await ready(client, order, wait);
  if (now.status === 'ready') now = await client.finalizeOrder(now, csr);
  for (let turn = 0; now.status === 'processing'; turn++) {
    await wait(turn);
    now = await client.getOrder(now);
  }
  if (now.status !== 'valid') throw refusedOrder(now);
  const chain = (await client.getCertificate(now)).trim();
  if (!isFor(chain, key, names)) throw new AcmeFailure('certificate.unusable');
  return `${key}${chain}\n`;
}

/** The order after its names are validated. */
async function ready(client: Client, order: Order, wait: (turn: number) => Promise<void>): Promise<Order> {
  let now = order;
  for (let turn = 0; now.status === 'pending'; turn++) {
    if (turn > 0) await wait(turn);
    now = await client.getOrder(now);
  }
  return now;
}

const refusedOrder = (order: Order): AcmeFailure =>
  requestFailure(readProblem((order as { error?: unknown }).error), 400, 0);

/** The file is served at once, so the certificate has to match the order. */
function isFor(chain: string, key: string, names: readonly string[]): boolean {
  const certificate = parseCertificate(chain);
  if (certificate === null || !certificate.checkPrivateKey(createPrivateKey(key))) return false;
  const carried = new Set(namesOn(certificate).map((name) => name.toLowerCase()));
  return names.every((name) => carried.has(name));
}
