import { announce } from '../../contract/announce.ts';
import type { Basics } from '../basics.ts';
import { generateKeyPairSync } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Schedule } from '../../contract/schedule.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { ProviderValues } from './provider-values.ts';
import type { Credentials, Tunnel } from './tunnel.ts';
import { deviceIn, withDevice } from './tunnel-outbound.ts';

export interface RotationDeps extends Pick<Basics, 'clock' | 'publish' | 'log'> {
  tunnel: Pick<Tunnel, 'registered' | 'newDevice' | 'setLicense' | 'inTurn'>;
  values: ProviderValues;
  store: Pick<Store, 'write'>;
  templates: {
    rewrite(trx: WriteTransaction, change: (template: JsonObject) => JsonObject): Promise<boolean>;
  };
  runtime: Pick<Runtime, 'stage' | 'apply'>;
  interval: {
    /** Days between key rotations, 0 = never. */
    read(): number;
    write(days: number, requestId: string): Promise<void>;
  };
  schedule: Pick<Schedule, 'every'>;
}

const LOOK_EVERY_MS = 3_600_000;
const DAY_SEC = 86_400;
/** Shorter licences are the free ones of a registration. */
const PAID_LICENSE = 26;
const MAX_DAYS = 36_500;

/** Changes the tunnel's exit address by replacing the device with a new one and new keys. */
export function createTunnelRotation(deps: RotationDeps) {
  const { tunnel, values, store, templates, runtime, interval, schedule, publish, clock, log } = deps;

  const nowSec = (): number => Math.floor(clock() / 1000);
  const restartClock = (trx?: WriteTransaction): Promise<void> =>
    values.setHidden('tunnelLastUpdate', String(nowSec()), trx);

  async function rotate(requestId: string): Promise<string> {
    const before = await tunnel.registered();
    const keys = wireguardKeys();
    const { data: fresh, registration } = await tunnel.newDevice(keys.privateKey, keys.publicKey);
    const device = deviceIn(registration, keys.privateKey);
    const isPaid = before.license_key.length >= PAID_LICENSE;
    // Stored before the provider is asked to accept it: a failure there must not lose a paid key.
    const data: Credentials = isPaid ? { ...fresh, license_key: before.license_key } : fresh;
    const isUsed = await store.write(async (trx) => {
      await values.setHidden('tunnel', JSON.stringify(data), trx);
      await restartClock(trx);
      const isChanged = await templates.rewrite(trx, (template) => withDevice(template, device));
      if (isChanged) await runtime.stage(trx, { everything: true });
      return isChanged;
    });
    const warnings = [
      ...(isUsed ? [] : ['no outbound "warp" or "tunnel" is in the template']),
      ...(isPaid ? await applyLicense(before.license_key) : []),
    ];
    if (isUsed) {
      const { core } = await runtime.apply({ everything: true });
      if (core.kind === 'failed') warnings.push(`the core has not taken the new keys: ${core.text}`);
      announce(publish, ['outbounds'], requestId);
    }
    return JSON.stringify({
      data,
      config: registration,
      ...(warnings.length > 0 ? { warning: warnings.join('; ') } : {}),
    });
  }

  async function applyLicense(license: string): Promise<string[]> {
    try {
      await tunnel.setLicense(license);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [`the license is kept but could not be applied again: ${error.text}`];
    }
  }

  async function rotateWhenDue(): Promise<void> {
    const days = interval.read();
    const since = Number(await values.hidden('tunnelLastUpdate')) || 0;
    if (days === 0 || (await values.hidden('tunnel')) === '') {
      // The next interval or device starts anew.
      if (since !== 0) await values.setHidden('tunnelLastUpdate', '');
      return;
    }
    // Never, or at a time that a corrected clock has not reached.
    if (since === 0 || since > nowSec() + DAY_SEC) return restartClock();
    if (since + days * DAY_SEC > nowSec()) return;
    try {
      await tunnel.inTurn(() => rotate(''));
      log.info('tunnel.rotated', {});
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.warn('tunnel.rotationFailed', { reason: error.text });
    }
  }

  schedule.every(LOOK_EVERY_MS, rotateWhenDue);

  return {
    /** @throws {DomainError} `providers.notRegistered`, `.refused`, `.unreachable`: nothing was changed */
    rotate: (requestId: string): Promise<string> => tunnel.inTurn(() => rotate(requestId)),

    /** @param days text of a whole number @throws {DomainError} `providers.invalidInterval` */
    async setInterval(days: string, requestId: string): Promise<''> {
      const wanted = /^\d{1,5}$/.test(days.trim()) ? Number(days) : Number.NaN;
      if (!(wanted <= MAX_DAYS)) throw new DomainError('providers.invalidInterval');
      await interval.write(wanted, requestId);
      await restartClock();
      return '';
    },
  };
}

function wireguardKeys(): { privateKey: string; publicKey: string } {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  const base64 = (text: string): string => Buffer.from(text, 'base64url').toString('base64');
  return { privateKey: base64(d), publicKey: base64(x) };
}
