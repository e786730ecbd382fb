import { describe, expect, it } from 'vitest';
import * as base from '../../../testing/core-config/base.ts';
import { BROKEN_INBOUNDS } from '../../../testing/core-config/broken-inbounds.ts';
import { buildInbound } from './inbound-config.ts';
import { checkInbound, normaliseInbound } from './inbound-rules.ts';

describe('an inbound the core does not run as written', () => {
  it.each(BROKEN_INBOUNDS)('is refused on save: $name', ({ inbound, issues }) => {
    expect(checkInbound(inbound).map((issue) => `${issue.field}:${issue.rule}`)).toEqual(issues);
  });

  it.each(BROKEN_INBOUNDS)('never reaches the core as it is: $name', ({ inbound, heals }) => {
    const clients = [base.client({ password: base.KEY_32 })];
    const built = buildInbound(base.source({ ...inbound, clients }));
    if (heals) expect(built.inbound).not.toBeNull();
    else expect(built).toMatchObject({ inbound: null, leftOut: [{ kind: 'inbound', name: 'in-1' }] });
  });

  it.each(BROKEN_INBOUNDS)('is not changed by a check: $name', ({ inbound }) => {
    const before = JSON.stringify(inbound);
    checkInbound(inbound);
    normaliseInbound(inbound);
    buildInbound(base.source(inbound));
    expect(JSON.stringify(inbound)).toBe(before);
  });
});

describe('issues', () => {
  it('name the field, the rule, its limit and what to do', () => {
    expect(checkInbound(base.draft({ port: 70_000 }))).toEqual([
      {
        field: 'port',
        rule: 'lte',
        param: '65535',
        code: 'config.atMost',
        params: { max: 65_535 },
        message: 'port must be at most 65535.',
      },
    ]);
  });

  it('are all reported, not only the first', () => {
    const settings = { ...base.REALITY, target: '', shortIds: ['abc', 'ab', 'x'], privateKey: 'short' };
    const stream = { network: 'ws', security: 'reality', realitySettings: settings };
    const issues = checkInbound(base.draft({ port: 0, streamSettings: stream }));
    expect(issues.map((issue) => issue.field)).toEqual([
      'port',
      'streamSettings.security',
      'streamSettings.realitySettings.shortIds[0]',
      'streamSettings.realitySettings.shortIds[2]',
      'streamSettings.realitySettings.target',
      'streamSettings.realitySettings.privateKey',
    ]);
  });

  it('never repeat a private key', () => {
    const secret = 'verySecretKeyMaterial';
    const drafts = [
      base.draft({ settings: { decryption: `mlkem768x25519plus.native.600s.${secret}` } }),
      base.draft({
        streamSettings: {
          security: 'reality',
          realitySettings: { ...base.REALITY, privateKey: secret, mldsa65Seed: secret },
        },
      }),
      base.draft({
        protocol: 'wireguard',
        settings: { secretKey: secret, peers: [{ publicKey: 'x', preSharedKey: secret }] },
      }),
      base.draft({ protocol: 'shadowsocks', settings: { method: '2022-blake3-aes-128-gcm', password: secret } }),
    ];
    for (const draft of drafts) {
      expect(checkInbound(draft)).not.toEqual([]);
      expect(JSON.stringify(checkInbound(draft))).not.toContain(secret);
      expect(JSON.stringify(buildInbound(base.source(draft)).leftOut)).not.toContain(secret);
    }
  });
});
