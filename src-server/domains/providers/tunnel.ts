import { createLine } from '../../concurrency.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ProviderCall } from './provider-call.ts';
import type { ProviderValues } from './provider-values.ts';

interface TunnelDeps {
  call: ProviderCall;
  values: ProviderValues;
  clock: () => number;
  hostname: string;
}

export interface Credentials {
  access_token: string;
  device_id: string;
  license_key: string;
  private_key: string;
  client_id?: string;
}

const WIREGUARD_KEY = /^[A-Za-z0-9+/]{43}=$/;
const PLAIN_HEADERS = { 'CF-Client-Version': 'a-6.30-3596', 'Content-Type': 'application/json' };

export type Tunnel = ReturnType<typeof createTunnel>;

/** The tunnel provider: one registered device, whose keys make a WireGuard outbound in the editor. */
export function createTunnel({ call, values, clock, hostname }: TunnelDeps) {
  /** Changes of the device, each from the provider's response to the stored result: two at once would mix two devices. */
  const inTurn = createLine();
  const stored = (): Promise<string> => values.hidden('tunnel');

  /** @throws {DomainError} `providers.notRegistered` */
  async function registered(): Promise<Credentials> {
    const found = parseJsonObject(await stored());
    if (!found || typeof found['access_token'] !== 'string' || typeof found['device_id'] !== 'string')
      throw new DomainError('providers.notRegistered');
    return found as unknown as Credentials;
  }
  const headersOf = ({ access_token }: Credentials) => ({ ...PLAIN_HEADERS, Authorization: `Bearer ${access_token}` });

  /**
   * Registers a new device for these keys; nothing is stored. @throws {DomainError} `providers.refused`, `.unreachable`
   */
  async function newDevice(
    privateKey: string,
    publicKey: string,
  ): Promise<{ data: Credentials; registration: JsonObject }> {
    const tos = new Date(clock()).toISOString();
    const body = JSON.stringify({ key: publicKey, tos, type: 'PC', model: 'switchyard', name: hostname });
    const registration =
      parseJsonObject(await call({ method: 'POST', path: '/reg', headers: PLAIN_HEADERS, body })) ?? {};
    const config = registration['config'] as JsonObject | undefined;
    const account = registration['account'] as JsonObject | undefined;
    if (account === undefined) throw missing('account');
    const clientId = config?.['client_id'];
    const data: Credentials = {
      access_token: textIn(registration, 'token'),
      device_id: textIn(registration, 'id'),
      license_key: textIn(account, 'license', 'account.license'),
      private_key: privateKey,
      ...(typeof clientId === 'string' ? { client_id: clientId } : {}),
    };
    return { data, registration };
  }

  /** The stored key changes only after the provider has accepted it. */
  async function setLicense(license: string): Promise<string> {
    const credentials = await registered();
    const path = `/reg/${encodeURIComponent(credentials.device_id)}/account`;
    const body = JSON.stringify({ license });
    const text = await call({ method: 'PUT', path, headers: headersOf(credentials), body });
    if (typeof parseJsonObject(text)?.['id'] !== 'string')
      throw new DomainError('providers.refused', {
        text: `tunnel set license failed: unexpected response: ${text.slice(0, 500)}`,
      });
    const changed = JSON.stringify({ ...credentials, license_key: license });
    await values.setHidden('tunnel', changed);
    return changed;
  }

  return {
    data: stored,

    registered,

    newDevice,

    setLicense,

    inTurn,

    /** Deletes the credentials; the provider keeps the device. */
    remove: () =>
      inTurn(async (): Promise<''> => {
        await values.setHidden('tunnel', '');
        return '';
      }),

    /** @throws {DomainError} `providers.keysRequired`, `.refused`, `.unreachable` */
    async register(privateKey: string, publicKey: string): Promise<string> {
      if (!WIREGUARD_KEY.test(privateKey) || !WIREGUARD_KEY.test(publicKey))
        throw new DomainError('providers.keysRequired');
      return inTurn(async () => {
        const { data, registration } = await newDevice(privateKey, publicKey);
        await values.setHidden('tunnel', JSON.stringify(data));
        return JSON.stringify({ data, config: registration });
      });
    },

    /**
     * The provider's data about the device. @throws {DomainError} `providers.notRegistered`, `.refused`, `.unreachable`
     */
    async config(): Promise<string> {
      const credentials = await registered();
      const path = `/reg/${encodeURIComponent(credentials.device_id)}`;
      return call({ method: 'GET', path, headers: headersOf(credentials) });
    },

    /** @throws {DomainError} as `config`, and `.licenseRequired` */
    async license(license: string): Promise<string> {
      if (license === '') throw new DomainError('providers.licenseRequired');
      return inTurn(() => setLicense(license));
    },
  };
}

function textIn(object: JsonObject, key: string, name = key): string {
  const value = object[key];
  if (typeof value !== 'string') throw missing(name);
  return value;
}

/** Name of a missing value of a registration. */
export function missing(name: string): DomainError {
  return new DomainError('providers.refused', { text: `tunnel register: missing '${name}' in response` });
}
