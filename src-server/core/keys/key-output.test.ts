import { describe, expect, it } from 'vitest';
import { parseEchCertificate, parseKeyLines, parseVlessEncryption } from './key-output.ts';

describe('key lines', () => {
  it.each([
    ['PrivateKey: a\nPassword (PublicKey): b\nHash32: c\n'],
    ['Private key: a\r\nPublic key: b\r\n'],
    ['\nSeed:a\n\nVerify:  b'],
  ])('are read by position, not by label: %j', (output) => {
    expect(parseKeyLines(output)).toEqual(['a', 'b']);
  });

  it.each(['', 'Seed: a', 'unknown command: mldsa65\nRun help', 'Seed: \nVerify: b'])('are refused in %j', (output) => {
    expect(() => parseKeyLines(output)).toThrow(expect.objectContaining({ code: 'keys.unexpectedOutput' }));
  });

  it('are not repeated in the error, which may hold a private key', () => {
    try {
      parseKeyLines('Seed: verySecret');
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('verySecret');
    }
  });
});

describe('vless encryption blocks', () => {
  it('are found between other text, in any order of the two lines', () => {
    const output = 'Hello\n\nAuthentication: X25519\n"encryption": "e",\n"decryption": "d",\n';
    expect(parseVlessEncryption(output)).toEqual([{ id: 'x25519', label: 'X25519', decryption: 'd', encryption: 'e' }]);
  });

  it.each(['', 'Authentication: X25519\n"decryption": "d"\n'])('are refused in %j', (output) => {
    expect(() => parseVlessEncryption(output)).toThrow(expect.objectContaining({ code: 'keys.unexpectedOutput' }));
  });
});

describe('ECH output', () => {
  it.each(['', 'ECH config list:\nAAAA\n', 'ECH config list:\nnot base64!\nECH server keys:\nBBBB\n'])(
    'is refused when it is %j',
    (output) => {
      expect(() => parseEchCertificate(output)).toThrow(expect.objectContaining({ code: 'keys.unexpectedOutput' }));
    },
  );
});
