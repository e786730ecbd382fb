import { describe, expect, it } from 'vitest';
import { createKeyGenerators, x25519PairOf } from './key-generators.ts';

const VLESSENC = `Choose one Authentication to use, do not mix them.

Authentication: X25519, not Post-Quantum
"decryption": "mlkem768x25519plus.native.600s.AAA"
"encryption": "mlkem768x25519plus.native.0rtt.BBB"

Authentication: ML-KEM-768, Post-Quantum
"decryption": "mlkem768x25519plus.native.600s.CCC",
"encryption": "mlkem768x25519plus.native.0rtt.DDD",
`;

function generatorsPrinting(output: string) {
  const calls: string[][] = [];
  const keys = createKeyGenerators({
    runCore: async (args) => {
      calls.push(args);
      return output;
    },
  });
  return { keys, calls };
}

describe('generators without the core', () => {
  it('makes UUIDs of version 4 in lower case', () => {
    const { keys } = generatorsPrinting('');
    expect(keys.newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keys.newUuid()).not.toBe(keys.newUuid());
  });

  it('makes the X25519 pair the core makes of the same secret', () => {
    const secret = Buffer.from('aGSYystUbf59_9_6LKRxD27rmSW_-2_nyd9YG_Gwbks', 'base64url');
    expect(x25519PairOf(secret)).toEqual({
      privateKey: 'aGSYystUbf59_9_6LKRxD27rmSW_-2_nyd9YG_Gwbks',
      publicKey: 'E59WjnvZcQMu7tR7_BgyhycuEdBS-CtKxfImRCdAvFM',
    });
  });

  it('clamps the private key before it is shown', () => {
    const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(x25519PairOf(secret)).toEqual({
      privateKey: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHl8',
      publicKey: 'j0DFrbaPJWJK5bIU6nZ6bslNgp09e14a0bpvPiE4KF8',
    });
  });

  it('makes a new X25519 pair each time', () => {
    const { keys } = generatorsPrinting('');
    const pair = keys.newX25519();
    expect(pair.privateKey).toHaveLength(43);
    expect(pair).not.toEqual(keys.newX25519());
  });
});

describe('generators through the core', () => {
  it('offers both vless encryptions in all three modes, in a fixed order', async () => {
    const { keys, calls } = generatorsPrinting(VLESSENC);
    const { auths } = await keys.newVlessEnc();
    expect(calls).toEqual([['vlessenc']]);
    expect(auths.map((pair) => [pair.id, pair.label])).toEqual([
      ['x25519', 'X25519, not Post-Quantum'],
      ['mlkem768', 'ML-KEM-768, Post-Quantum'],
      ['x25519_xorpub', 'X25519, not Post-Quantum (xorpub)'],
      ['x25519_random', 'X25519, not Post-Quantum (random)'],
      ['mlkem768_xorpub', 'ML-KEM-768, Post-Quantum (xorpub)'],
      ['mlkem768_random', 'ML-KEM-768, Post-Quantum (random)'],
    ]);
    expect(auths[5]).toMatchObject({
      decryption: 'mlkem768x25519plus.random.600s.CCC',
      encryption: 'mlkem768x25519plus.random.0rtt.DDD',
    });
  });

  it('returns the halves of ML-DSA-65 and ML-KEM-768 under the names of both kinds of caller', async () => {
    expect(await generatorsPrinting('Seed: S\nVerify: V\n').keys.newMldsa65()).toEqual({
      privateKey: 'S',
      publicKey: 'V',
      seed: 'S',
      verify: 'V',
    });
    expect(await generatorsPrinting('Seed: S\nClient: C\nHash32: H\n').keys.newMlkem768()).toEqual({
      clientKey: 'C',
      serverKey: 'S',
      seed: 'S',
      client: 'C',
    });
  });

  it('passes the public name to the ECH generator', async () => {
    const { keys, calls } = generatorsPrinting('ECH config list: \nAAAA\nECH server keys: \nBBBB\n');
    expect(await keys.newEchCert('example.com')).toEqual({
      echKeySet: 'BBBB',
      echServerKeys: ['BBBB'],
      echConfigList: 'AAAA',
    });
    expect(calls).toEqual([['tls', 'ech', '--serverName', 'example.com']]);
  });

  it.each(['', ' ', '-rf', 'a b', 'exa_mple', 'a..b', '.a', 'a-.b', `${'a'.repeat(64)}.com`, 'a.'.repeat(200)])(
    'refuses the public name %j without asking the core',
    async (name) => {
      const { keys, calls } = generatorsPrinting('');
      await expect(keys.newEchCert(name)).rejects.toMatchObject({ code: 'keys.badServerName' });
      expect(calls).toEqual([]);
    },
  );
});
