import { DomainError } from '../../contract/domain-error.ts';
import type { VlessEncryptionPair } from './vless-encryption-modes.ts';
import type { EchCertificate } from './key-material.ts';

/**
 * Values of the first two `Label: value` lines, by position: the labels have changed between releases of the core.
 * @throws {DomainError} `keys.unexpectedOutput`
 */
export function parseKeyLines(output: string): [string, string] {
  const values = linesOf(output).map((line) => /^[^:]+:\s*(\S+)$/.exec(line)?.[1]);
  const [first, second] = values;
  if (first === undefined || second === undefined) throw unexpected('key pair');
  return [first, second];
}

/**
 * The blocks of `vlessenc`: `Authentication: <label>`, then `"decryption": "…"` and `"encryption": "…"` in any order,
 * with or without a trailing comma. Text around them is ignored.
 * @throws {DomainError} `keys.unexpectedOutput`
 */
export function parseVlessEncryption(output: string): VlessEncryptionPair[] {
  const blocks = output.split(/^Authentication:/m).slice(1);
  const pairs = blocks.map((block) => {
    const label = (linesOf(block)[0] ?? '').trim();
    const decryption = /"decryption":\s*"([^"]+)"/.exec(block)?.[1];
    const encryption = /"encryption":\s*"([^"]+)"/.exec(block)?.[1];
    if (decryption === undefined || encryption === undefined) throw unexpected('vless encryption');
    return { id: /ml-?kem/i.test(label) ? 'mlkem768' : 'x25519', label, decryption, encryption };
  });
  if (pairs.length === 0) throw unexpected('vless encryption');
  return pairs;
}

/**
 * Lines 2 and 4 of `tls ech`: the list for clients and the keys for the server.
 * @throws {DomainError} `keys.unexpectedOutput`
 */
export function parseEchCertificate(output: string): EchCertificate {
  const [, list, , keys] = linesOf(output);
  const isBase64 = (text: string | undefined): text is string => /^[A-Za-z0-9+/]+={0,2}$/.test(text ?? '');
  if (!isBase64(list) || !isBase64(keys)) throw unexpected('ECH keys');
  return { echKeySet: keys, echServerKeys: [keys], echConfigList: list };
}

function linesOf(output: string): string[] {
  return output
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Never carries the output: it may hold a private key. */
function unexpected(what: string): DomainError {
  return new DomainError('keys.unexpectedOutput', { what });
}
