import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { RealityScan } from './contract.ts';
import type { Target } from './targets.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

export interface ProbeOptions {
  timeoutMs: number;
  /** Name to request; empty = none, then the certificate names the server. */
  sni: string;
  allowPrivate: boolean;
  signal?: AbortSignal;
}

/** Connects once and inspects the handshake. Never rejects: errors become the result's reason. */
export type Probe = (target: Target, options: ProbeOptions) => Promise<RealityScan>;

const VERSIONS: Readonly<Record<string, string>> = {
  TLSv1: '1.0',
  'TLSv1.1': '1.1',
  'TLSv1.2': '1.2',
  'TLSv1.3': '1.3',
};
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** @param authorities trusted certificates; by default those of the runtime and of the system */
export function createProbe(deps: {
  dialer: Pick<GuardedDialer, 'connect'>;
  authorities?: readonly string[];
  monotonicMs?: () => number;
}): Probe {
  const { dialer, monotonicMs = () => performance.now() } = deps;
  const ca = (): string[] => [...(deps.authorities ?? [...tls.rootCertificates, ...tls.getCACertificates('system')])];

  return async (target, { timeoutMs, sni, allowPrivate, signal }) => {
    const { host, port } = target;
    const result = nothingYet(hostAndPort(host, port), sni || host, target.isAddress ? host : '', port);
    const limit = AbortSignal.timeout(timeoutMs);
    const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
    const startedMs = monotonicMs();
    let plain: Socket;
    try {
      plain = await dialer.connect({ host, port, allowPrivate, timeoutMs, signal: stop });
    } catch (error) {
      const isPrivate = error instanceof DialError && error.code === 'private';
      const text = isPrivate ? `blocked private/internal address ${addressIn(error.message) ?? host}` : textOf(error);
      return { ...result, privateTarget: isPrivate, reason: `connection failed: ${text}` };
    }
    try {
      result.ip = plain.remoteAddress ?? result.ip;
      const secure = await handshake(plain, sni, ca(), stop);
      result.latencyMs = Math.max(1, Math.round(monotonicMs() - startedMs));
      describe(result, secure, sni, port);
    } catch (error) {
      result.reason = `TLS handshake failed: ${limit.aborted ? 'timeout' : textOf(error)}`;
    } finally {
      plain.destroy();
    }
    return result;
  };
}

function handshake(plain: Socket, sni: string, ca: string[], stop: AbortSignal): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = tls.connect({
      socket: plain,
      ...(sni === '' ? {} : { servername: sni }),
      ALPNProtocols: ['h2', 'http/1.1'],
      minVersion: 'TLSv1.2',
      ecdhCurve: 'X25519:X25519MLKEM768:P-256',
      ca,
      // Checked afterwards: an untrusted certificate is a result.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    const giveUp = (): void => void secure.destroy(new Error('timeout'));
    stop.addEventListener('abort', giveUp, { once: true });
    secure.once('secureConnect', () => {
      stop.removeEventListener('abort', giveUp);
      resolve(secure);
    });
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('the connection was closed')));
  });
}

function describe(result: RealityScan, secure: tls.TLSSocket, sni: string, port: number): void {
  result.tlsVersion = VERSIONS[secure.getProtocol() ?? ''] ?? 'unknown';
  result.tls13 = result.tlsVersion === '1.3';
  result.alpn = typeof secure.alpnProtocol === 'string' ? secure.alpnProtocol : '';
  result.h2 = result.alpn === 'h2';
  result.curveID = curveOf(secure);
  result.x25519 = result.curveID === 'X25519' || result.curveID === 'X25519MLKEM768';
  const certificate = secure.getPeerX509Certificate();
  if (certificate === undefined) {
    result.reason = 'no certificate presented';
    return;
  }
  const names = dnsNamesOf(certificate);
  const common = partOf(certificate.subject, 'CN');
  result.certSubject = common || names[0] || '';
  result.certIssuer = partOf(certificate.issuer, 'O') || partOf(certificate.issuer, 'CN');
  result.notAfter = new Date(certificate.validTo).toISOString().replace('.000Z', 'Z');
  result.serverNames = names.filter((name) => !name.includes('*'));
  const name =
    sni || [common, ...names].find((one) => one.includes('.') && !one.includes('*') && isIP(one) === 0) || '';
  if (name === '') {
    result.reason = 'no usable domain in certificate';
    return;
  }
  if (sni === '') Object.assign(result, { host: name, target: `${name}:${port}` });
  result.certChainValid = secure.authorized;
  const fitsName = certificate.checkHost(name) !== undefined;
  result.certValid = result.certChainValid && fitsName;
  if (!result.certValid) {
    const trouble = result.certChainValid ? `it is not valid for ${name}` : String(secure.authorizationError);
    result.reason = `certificate not trusted: ${trouble}`;
  }
  result.feasible = result.tls13 && result.h2 && result.x25519 && result.certValid;
  result.reason ||= shortcomingOf(result);
}

function shortcomingOf({ tls13, h2, x25519 }: RealityScan): string {
  if (!tls13) return 'server does not negotiate TLS 1.3';
  if (!h2) return 'server does not negotiate HTTP/2 (h2)';
  return x25519 ? '' : 'server did not use X25519 key exchange';
}

function curveOf(secure: tls.TLSSocket): string {
  const info: { name?: unknown } = secure.getEphemeralKeyInfo() ?? {};
  const name = typeof info.name === 'string' ? info.name : '';
  return CURVES[name] ?? name;
}

function dnsNamesOf(certificate: X509Certificate): string[] {
  const names = certificate.subjectAltName ?? '';
  return [...names.matchAll(/(?:^|, )DNS:([^,"\s]+)/g)].map(([, name]) => name!).slice(0, 500);
}

function partOf(distinguishedName: string, key: string): string {
  const line = distinguishedName.split('\n').find((part) => part.startsWith(`${key}=`));
  return line?.slice(key.length + 1) ?? '';
}

function nothingYet(target: string, host: string, ip: string, port: number): RealityScan {
  return {
    target,
    host,
    ip,
    port,
    feasible: false,
    privateTarget: false,
    tls13: false,
    tlsVersion: '',
    h2: false,
    alpn: '',
    x25519: false,
    curveID: '',
    certValid: false,
    certChainValid: false,
    certSubject: '',
    certIssuer: '',
    notAfter: '',
    serverNames: [],
    latencyMs: 0,
    reason: '',
  };
}

/** A result for a target that was not dialled. */
export function refused(target: string, reason: string): RealityScan {
  return { ...nothingYet(target, '', '', 0), reason };
}

function addressIn(message: string): string | null {
  return message.split(/[\s,;()]+/).find((word) => isIP(word.replace(/[.:]$/, '')) !== 0) ?? null;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
