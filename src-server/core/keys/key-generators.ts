import { createPrivateKey, createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import type { EchCertificate, Mldsa65Pair, Mlkem768Pair, X25519Pair } from './key-material.ts';
import { parseEchCertificate, parseKeyLines, parseVlessEncryption } from './key-output.ts';
import { vlessEncryptionModes, type VlessEncryptionPair } from './vless-encryption-modes.ts';

export interface KeyGeneratorDeps {
  /**
   * Runs the core with these arguments, no shell, and resolves to its output. Rejects when it fails or does not exist.
   */
  runCore: (args: string[]) => Promise<string>;
}

export type KeyGenerators = ReturnType<typeof createKeyGenerators>;

const X25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const HOST_NAME = /^(?=.{1,255}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/i;

/** Key material for inbounds. Nothing is stored; every call makes new keys. */
export function createKeyGenerators({ runCore }: KeyGeneratorDeps) {
  return {
    /** UUID version 4, lower case. */
    newUuid: (): string => randomUUID(),

    newX25519: (): X25519Pair => x25519PairOf(randomBytes(32)),

    /**
     * Six entries from two fresh key pairs: X25519 and ML-KEM-768, each native, xorpub and random. Halves of different
     * entries do not match.
     */
    async newVlessEnc(): Promise<{ auths: VlessEncryptionPair[] }> {
      return { auths: vlessEncryptionModes(parseVlessEncryption(await runCore(['vlessenc']))) };
    },

    async newMldsa65(): Promise<Mldsa65Pair> {
      const [seed, verify] = parseKeyLines(await runCore(['mldsa65']));
      return { privateKey: seed, publicKey: verify, seed, verify };
    },

    async newMlkem768(): Promise<Mlkem768Pair> {
      const [seed, client] = parseKeyLines(await runCore(['mlkem768']));
      return { clientKey: client, serverKey: seed, seed, client };
    },

    /**
     * @param sni the public (outer) name clients show instead of the real one.
     * @throws {DomainError} `keys.badServerName` unless it is a host name of at most 255 characters.
     */
    async newEchCert(sni: string): Promise<EchCertificate> {
      if (!HOST_NAME.test(sni)) throw new DomainError('keys.badServerName', { name: sni });
      return parseEchCertificate(await runCore(['tls', 'ech', '--serverName', sni]));
    },
  };
}

/** The pair for 32 secret bytes, clamped as RFC 7748 requires and as the core does before it shows a key. */
export function x25519PairOf(secret: Uint8Array): X25519Pair {
  const clamped = Buffer.from(secret);
  clamped[0] = (clamped[0] ?? 0) & 248;
  clamped[31] = ((clamped[31] ?? 0) & 127) | 64;
  const key = createPrivateKey({ key: Buffer.concat([X25519_PKCS8_PREFIX, clamped]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { privateKey: clamped.toString('base64url'), publicKey: spki.subarray(-32).toString('base64url') };
}
