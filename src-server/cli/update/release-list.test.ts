import { describe, expect, it } from 'vitest';
import { isSigned, readPublicKey } from './minisign.ts';
import { packagesIn } from './release-list.ts';

// Made by minisign 0.11.
const KEY = `untrusted comment: minisign public key D6CC372A0CC2E303
RWQD48IMKjfM1qlYlvEyD/ATKLUqXUReSZJQ8kcVvWJf+7Q60HmuhRTM
`;
const LIST = 'abc  switchyard_1.2.3-1_amd64.deb\n';
const SIGNED = `untrusted comment: signature from minisign secret key
RUQD48IMKjfM1mnlVrEyFCrGP835U1myEAYikYYLDYknEW32GBh1K3/XQ/rnU4DQB/1NMLb+hF6ha5rAusYKQkQIxqusvIywYQ0=
trusted comment: release of today
vhE1M8I7wijbKdcU1aavjj/PfBkXftROy2/mGChxZ0TlMblxJueA9txMT53Cad+BAL0E3aClGShBwQOfha9tDg==
`;
const SIGNED_WHOLE = `untrusted comment: signature from minisign secret key
RWQD48IMKjfM1pi0kcyKs8tBcmYPypeKbyUSj4Wok9vtRNa9CoSnOftXP0LtRrNGUexNzAWFhIuSwNmDHbbaSCk7JhZ+8lZANAA=
trusted comment: old
MKX2L+bJccViBqUO340ggU0bxcQ7eTxQ0cdHMmi2XDFI6U5i8kAudPvGKOqJK+0PZS8PEOVj38srz4jdu4JCBA==
`;

describe('the signature of the list of packages', () => {
  const key = readPublicKey(KEY);
  it.each([
    ['of its hash', SIGNED],
    ['of all its bytes', SIGNED_WHOLE],
  ])('accepts %s, for exactly these bytes and this comment', (_name, signature) => {
    expect(isSigned(Buffer.from(LIST), signature, key)).toBe(true);
    expect(isSigned(Buffer.from(LIST.replace('1.2.3', '1.2.4')), signature, key)).toBe(false);
    expect(isSigned(Buffer.from(LIST), signature.replace(/comment: (release|old)/, 'comment: other'), key)).toBe(false);
    const other = { ...key, id: Buffer.alloc(8) };
    expect(isSigned(Buffer.from(LIST), signature, other)).toBe(false);
    for (const broken of ['', 'x', signature.split('\n').slice(0, 2).join('\n')])
      expect(isSigned(Buffer.from(LIST), broken, key)).toBe(false);
  });

  it('is made by a minisign key', () => {
    for (const bad of ['', 'untrusted comment: x\nAAAA\n', KEY.replace('RWQ', 'AAA')])
      expect(() => readPublicKey(bad)).toThrow('none of minisign');
  });
});

it("takes this machine's panel packages from the list, and nothing that leads elsewhere", () => {
  const hash = 'a'.repeat(64);
  const lines = [
    `${hash}  switchyard_1.2.3-1_amd64.deb`,
    `${hash} *switchyard_1.10.0-1_amd64.deb`,
    `${hash}  switchyard_1.2.3-1_arm64.deb`,
    `${hash}  ../switchyard_9.9.9-1_amd64.deb`,
    `${hash}  switchyard_9.9.9/../x_amd64.deb`,
    `${hash}  other_1.2.3-1_amd64.deb`,
    `${hash.slice(1)}  switchyard_9.9.9-1_amd64.deb`,
  ];
  expect(packagesIn(lines.join('\n'), 'amd64').map(({ version }) => version)).toEqual(['1.2.3-1', '1.10.0-1']);
});
