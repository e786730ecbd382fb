import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import { Reason } from '../../contract/envelope.ts';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { line } from '../../contract/fields/line.ts';

/** `acme`: an authority signs and renews it; `selfSigned`: this panel signs it, and clients pin it. */
export const CERTIFICATE_SOURCES = ['acme', 'selfSigned'] as const;

/** How the panel proves to the authority that it controls a name. */
export const CHALLENGES = ['http-01', 'tls-alpn-01', 'dns-01'] as const;
export type Challenge = (typeof CHALLENGES)[number];

export const KEY_TYPES = ['ec256', 'ec384', 'rsa2048', 'rsa4096'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** Well-known authorities, and `custom` for another directory's address. */
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

/** The wanted certificate; everything but name and names has a sensible default. */
export const CertificateSpec = z.object({
  /** `acme`: an authority signs it and the panel renews it; `selfSigned`: this panel signs it, and clients pin it. */
  source: z.enum(CERTIFICATE_SOURCES).default('acme'),
  /** Host names; a leading `*.` covers all names one level below. A self-signed certificate may also name addresses. */
  names: z.array(line(253)).min(1).max(100),
  /** Kind of the key. */
  keyType: z.enum(KEY_TYPES).default('ec256'),
  /** Authority that signs it; `custom` = the one at `directoryUrl`. */
  directory: z.enum(DIRECTORIES).default('letsencrypt'),
  /** ACME directory of the authority; used with `custom` only. */
  directoryUrl: line(2048).default(''),
  /** Whether the directory may be in a private network. */
  allowPrivate: z.boolean().default(false),
  /** Contact e-mail address given to the authority; empty = none. */
  email: line(320)
    .refine((text) => text === '' || z.email().safeParse(text).success, 'field.email' satisfies FieldCode)
    .default(''),
  /** Whether the authority's terms of service are accepted. */
  termsAgreed: z.boolean().default(false),
  /** Id of an account with the authority to which orders are bound (external account binding); empty = none. */
  eabKid: line(512).default(''),
  /** How the panel proves that it controls the names: over HTTP, over TLS, or by a DNS record. */
  challenge: z.enum(CHALLENGES).default('http-01'),
  /** Literal IP to listen on for the authority; empty = all addresses. */
  challengeAddress: line(64).default(''),
  /** Local port on which the authority's request arrives; 0 = that of the challenge, 80 or 443. */
  challengePort: Port.default(0),
  /** Name of the program in the folder of DNS hooks that adds and removes the records. */
  dnsHook: line(128).default(''),
  /** Arguments of that program, placed before the action. */
  dnsArguments: z.array(line(512)).max(20).default([]),
  /** Seconds until DNS records are visible everywhere. */
  dnsWaitSeconds: z.int().min(0).max(3600).default(30),
});
export type CertificateSpec = z.output<typeof CertificateSpec>;

/** Body of a save. A blank key keeps the stored one as long as the account id is unchanged. */
export const CertificateSave = CertificateSpec.extend({
  /** Id of the certificate; absent = a new one. */
  id: z.int().min(1).optional(),
  /** Display name. */
  name: line(64).min(1, 'field.required' satisfies FieldCode),
  /** HMAC key of the external account binding, base64url. */
  eabHmacKey: line(1024).default(''),
});
export type CertificateSave = z.output<typeof CertificateSave>;

/** A user of the certificate's file. */
export const CertificateUse = z.object({
  /** What uses it. */
  owner: z.enum(['panel', 'subscription', 'inbound']),
  /** Id of the inbound; 0 for the panel's own servers. */
  inboundId: z.int(),
  /** Remark or tag of the inbound; empty for the panel's own servers. */
  name: z.string(),
});
export type CertificateUse = z.output<typeof CertificateUse>;

/** Content of the certificate file. Times in ms since 1970. */
export const CertificateFacts = z.object({
  /** Host names and addresses for which it is valid. */
  names: z.array(z.string()),
  /** Issuer of the certificate. */
  issuer: z.string(),
  /** Start of its validity, in ms since 1970. */
  validFrom: z.int(),
  /** End of its validity, in ms since 1970. */
  validTo: z.int(),
  /** SHA-256 of the certificate in hex, as clients pin it. */
  pin: z.string(),
});
export type CertificateFacts = z.output<typeof CertificateFacts>;

export const CertificateFailure = Reason.extend({
  /** When it failed, in ms since 1970. */
  at: z.int(),
  /** Whether the panel had started the order automatically. */
  isUnasked: z.boolean(),
});
export type CertificateFailure = z.output<typeof CertificateFailure>;

export const Certificate = CertificateSpec.extend({
  id: z.int(),
  /** Display name. */
  name: z.string(),
  /** Whether a key of the external account binding is stored; the key itself is never returned. */
  hasEabHmacKey: z.boolean(),
  /** Path of the file with key and chain: enter it both as certificate and as key. */
  file: z.string(),
  /** Content of the file; null = there is no file yet. */
  facts: CertificateFacts.nullable(),
  /** Whether the authority has revoked the certificate in the file. */
  isRevoked: z.boolean(),
  /** When the panel renews it automatically, in ms since 1970; 0 = never. */
  renewsAt: z.int(),
  /** Why the last order failed; null = it succeeded, or there was none. */
  lastFailure: CertificateFailure.nullable(),
  /** Id of the job that is working on it; empty = none. */
  jobId: z.string(),
  /** Servers and inbounds that use its file. */
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
    /** Names of the available programs for DNS records. */
    dnsHooks: z.array(z.string()),
    /** Folder in which these programs have to be. */
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
