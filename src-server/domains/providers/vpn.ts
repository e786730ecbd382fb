import { DomainError } from '../../contract/domain-error.ts';
import { parseJsonObject } from '../../contract/json-text.ts';
import { textOf } from '../../core/config/json-access.ts';
import type { ProviderCall } from './provider-call.ts';
import type { ProviderValues } from './provider-values.ts';

/** Server technology that supports WireGuard. */
const WIREGUARD = 35;
/** Servers below this load are usually out of service. */
const MIN_LOAD = 7;

/** The VPN provider: its server lists, and the private key that makes WireGuard outbounds in the editor. */
export function createVpn({ call, values }: { call: ProviderCall; values: ProviderValues }) {
  return {
    countries: (): Promise<string> => call({ method: 'GET', path: '/v1/countries' }),

    /** @throws {DomainError} `providers.invalidCountry`, `.refused`, `.unreachable` */
    async servers(countryId: string): Promise<string> {
      if (!/^\d{1,9}$/.test(countryId)) throw new DomainError('providers.invalidCountry');
      const filters = new URLSearchParams({
        limit: '0',
        'filters[servers_technologies][id]': String(WIREGUARD),
        'filters[country_id]': countryId,
      });
      const text = await call({ method: 'GET', path: `/v2/servers?${filters.toString()}` });
      const body = parseJsonObject(text);
      if (!body || !Array.isArray(body['servers'])) return text;
      const isBusy = (server: unknown): boolean =>
        typeof server === 'object' && server !== null && 'load' in server && Number(server.load) > MIN_LOAD;
      return JSON.stringify({ ...body, servers: body['servers'].filter(isBusy) });
    },

    /** @throws {DomainError} `providers.tokenRequired`, `.refused`, `.unreachable` */
    async register(token: string): Promise<string> {
      if (token === '') throw new DomainError('providers.tokenRequired');
      const Authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`;
      const text = await call({ method: 'GET', path: '/v1/users/services/credentials', headers: { Authorization } });
      const key = parseJsonObject(text)?.['nordlynx_private_key'];
      if (typeof key !== 'string' || key === '')
        throw new DomainError('providers.refused', { text: 'failed to retrieve NordLynx private key' });
      await values.setHidden('vpn', JSON.stringify({ private_key: key, token }));
      return shown(key, token);
    },

    /** @throws {DomainError} `providers.keyRequired` */
    async setKey(key: string): Promise<string> {
      if (key === '') throw new DomainError('providers.keyRequired');
      await values.setHidden('vpn', JSON.stringify({ private_key: key, token: '' }));
      return shown(key, '');
    },

    async data(): Promise<string> {
      const found = parseJsonObject(await values.hidden('vpn'));
      return found === null ? '' : shown(textOf(found['private_key']), textOf(found['token']));
    },

    async remove(): Promise<''> {
      await values.setHidden('vpn', '');
      return '';
    },
  };
}

/** The key is needed to build the outbound; the token is never returned again. */
function shown(privateKey: string, token: string): string {
  return JSON.stringify({ private_key: privateKey, hasToken: token !== '' });
}
