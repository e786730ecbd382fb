import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createKeyGenerators, x25519PairOf } from './key-generators.ts';

const run = promisify(execFile);
const binary = process.env['CORE_BINARY'] ?? 'resources/core/xray';
if (!existsSync(binary)) throw new Error('The core binary is missing: set CORE_BINARY or put it into resources/core.');

const runCore = async (args: string[]): Promise<string> => (await run(binary, args, { timeout: 10_000 })).stdout;
const keys = createKeyGenerators({ runCore });

describe('keys of the real core', () => {
  it('match our own X25519 keys', async () => {
    const { privateKey, publicKey } = keys.newX25519();
    const output = await runCore(['x25519', '-i', privateKey]);
    expect(output).toContain(privateKey);
    expect(output).toContain(publicKey);
    expect(x25519PairOf(Buffer.from(privateKey, 'base64url'))).toEqual({ privateKey, publicKey });
  });

  it('include six vless encryptions whose keys have the right length', async () => {
    const { auths } = await keys.newVlessEnc();
    expect(auths.map((pair) => pair.id)).toHaveLength(6);
    const lengths = auths.map(({ decryption, encryption }) =>
      [decryption, encryption].map((text) => text.split('.').at(-1)?.length),
    );
    const [x25519, mlkem] = [
      [43, 43],
      [86, 1579],
    ];
    expect(lengths).toEqual([x25519, mlkem, x25519, x25519, mlkem, mlkem]);
  });

  it('include ML-DSA-65 and ML-KEM-768 keys of the right length', async () => {
    const mldsa = await keys.newMldsa65();
    expect([mldsa.seed.length, mldsa.publicKey.length]).toEqual([43, 2603]);
    const mlkem = await keys.newMlkem768();
    expect([mlkem.serverKey.length, mlkem.clientKey.length]).toEqual([86, 1579]);
  });

  it('include an ECH list that names the host, and its keys', async () => {
    const ech = await keys.newEchCert('example.com');
    expect(Buffer.from(ech.echConfigList, 'base64')).toHaveLength(96);
    expect(Buffer.from(ech.echConfigList, 'base64').toString('latin1')).toContain('example.com');
    expect(Buffer.from(ech.echKeySet, 'base64')).toHaveLength(130);
  });
});
