import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';
import type { FieldCode } from '../../contract/field-texts.ts';
import { line } from '../../contract/line.ts';

/** `acme`: an authority signs it, over and over; `selfSigned`: this panel does, and clients pin it. */
export const CERTIFICATE_SOURCES = ['acme', 'selfSigned'] as const;

/** How the authority is shown that a name is ours. */
export const CHALLENGES = ['http-01', 'tls-alpn-01', 'dns-01'] as const;
export type Challenge = (typeof CHALLENGES)[number];

export const KEY_TYPES = ['ec256', 'ec384', 'rsa2048', 'rsa4096'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Authorities that are known by name, and `custom` for the address of another directory. */
export const DIRECTORIES = [
  'letsencrypt',
  'letsencryptStaging',
  'google',
  'googleStaging',
  'zerossl',
  'custom',
] as const;
export type Directory = (typeof DIRECTORIES)[number];

const Port = z.int().min(0).max(65_535);

/** What is wanted; everything but name and names has a sensible default. */
export const CertificateWish = z.object({
  /** `acme`: an authority signs it and it is renewed; `selfSigned`: this panel signs it, and clients pin it. */
  source: z.enum(CERTIFICATE_SOURCES).default('acme'),
  /** Host names, with a leading `*.` for all below one; a self-signed certificate takes addresses too. */
  names: z.array(line(253)).min(1).max(100),
  /** Kind of the key. */
  keyType: z.enum(KEY_TYPES).default('ec256'),
  /** Authority that signs it; `custom` = the one at `directoryUrl`. */
  directory: z.enum(DIRECTORIES).default('letsencrypt'),
  /** ACME directory of the authority; used with `custom` only. */
  directoryUrl: line(2048).default(''),
  /** The directory may lie in a private network. */
  allowPrivate: z.boolean().default(false),
  /** E-mail address that the authority writes to; empty = none. */
  email: line(320)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'field.email' satisfies FieldCode)
    .default(''),
  /** The authority's terms of service are agreed to. */
  termsAgreed: z.boolean().default(false),
  /** Id of an account with the authority that orders belong to (external account binding); empty = none. */
  eabKid: line(512).default(''),
  /** How the authority is shown that a name is ours: over HTTP, over TLS, or by a DNS record. */
  challenge: z.enum(CHALLENGES).default('http-01'),
  /** Literal IP on which the authority is answered; empty = all. */
  challengeAddress: line(64).default(''),
  /** Port on which the authority's question arrives here; 0 = that of the challenge, 80 or 443. */
  challengePort: Port.default(0),
  /** Name of the program in the folder of DNS hooks that sets and removes the records. */
  dnsHook: line(128).default(''),
  /** Arguments of that program, before the ones that say what to do. */
  dnsArguments: z.array(line(512)).max(20).default([]),
  /** Seconds that records need until they are seen everywhere. */
  dnsWaitSeconds: z.int().min(0).max(3600).default(30),
});
export type CertificateWish = z.output<typeof CertificateWish>;

/** Body of a save. A blank key is kept as long as the account's id stays. */
export const CertificateSave = CertificateWish.extend({
  /** Number of the certificate; absent = a new one. */
  id: z.int().min(1).optional(),
  /** Name for people. */
  name: line(64).min(1, 'field.required' satisfies FieldCode),
  /** HMAC key of the external account binding, base64url. */
  eabHmacKey: line(1024).default(''),
});
export type CertificateSave = z.output<typeof CertificateSave>;

/** Who uses the file of a certificate. */
export const CertificateUse = z.object({
  /** What uses it. */
  owner: z.enum(['panel', 'subscription', 'inbound']),
  /** Number of the inbound; 0 for the panel's own servers. */
  inboundId: z.int(),
  /** Remark or tag of the inbound; empty for the panel's own servers. */
  name: z.string(),
});
export type CertificateUse = z.output<typeof CertificateUse>;

/** What the file holds. Ms since the epoch. */
export const CertificateFacts = z.object({
  /** Host names and addresses that it is valid for. */
  names: z.array(z.string()),
  /** Who signed it. */
  issuer: z.string(),
  /** When it begins to be valid, in ms since 1970. */
  validFrom: z.int(),
  /** When it ends, in ms since 1970. */
  validTo: z.int(),
  /** Hex SHA-256 of the certificate, as clients pin it. */
  pin: z.string(),
});
export type CertificateFacts = z.output<typeof CertificateFacts>;

export const CertificateFailure = Reason.extend({
  /** When it failed, in ms since 1970. */
  at: z.int(),
  /** Whether the panel had ordered by itself. */
  isUnasked: z.boolean(),
});
export type CertificateFailure = z.output<typeof CertificateFailure>;

export const Certificate = CertificateWish.extend({
  id: z.int(),
  /** Name for people. */
  name: z.string(),
  /** Whether a key of the external account binding is stored; the key itself is never answered. */
  hasEabHmacKey: z.boolean(),
  /** Path of the file with key and chain: to be named both as certificate and as key. */
  file: z.string(),
  /** What the file holds; null = there is none yet. */
  facts: CertificateFacts.nullable(),
  /** Whether the authority revoked the one in the file. */
  isRevoked: z.boolean(),
  /** When the panel renews it by itself, in ms since 1970; 0 = never. */
  renewsAt: z.int(),
  /** Why the last order failed; null = it went well, or there was none. */
  lastFailure: CertificateFailure.nullable(),
  /** Job that works on it now; empty = none. */
  jobId: z.string(),
  /** Servers and inbounds that name its file. */
  usedBy: z.array(CertificateUse),
});
export type Certificate = z.output<typeof Certificate>;

const BASE = '/panel/api/certificates';
const Id = z.object({ id: z.coerce.number().int().min(1) });
const StartedJob = z.object({ jobId: z.string() });

export const listCertificates = endpoint('GET', `${BASE}/list`, {
  summary: 'Certificates that this panel keeps, oldest first, what uses them, and the programs for DNS challenges.',
  result: z.object({
    /** Certificates, oldest first. */
    certificates: z.array(Certificate),
    /** Names of the programs that can be chosen. */
    dnsHooks: z.array(z.string()),
    /** Folder in which these programs have to lie. */
    dnsHookFolder: z.string(),
  }),
});

export const saveCertificate = endpoint('POST', `${BASE}/save`, {
  summary: 'Adds a certificate, or changes what is wanted of one. A new self-signed one is there at once.',
  body: CertificateSave,
  encoding: 'json',
  result: z.object({ id: z.int() }),
});

export const obtainCertificate = endpoint('POST', `${BASE}/obtain/:id`, {
  summary: 'Obtains or renews a certificate now, as a job of the kind `obtainCertificate`.',
  params: Id,
  result: StartedJob,
});

export const revokeCertificate = endpoint('POST', `${BASE}/revoke/:id`, {
  summary: 'Asks the authority to revoke the present certificate. Its file stays until another one is obtained.',
  params: Id,
  result: z.null(),
});

export const deleteCertificate = endpoint('POST', `${BASE}/delete/:id`, {
  summary: 'Deletes a certificate and its key; refused while something uses it.',
  params: Id,
  result: z.null(),
});
