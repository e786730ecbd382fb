import { DomainError } from '../../contract/domain-error.ts';
import { bind, type BindContext } from '../../http/bind.ts';
import { tunnelAction, vpnAction } from './contract.ts';
import type { ProvidersService } from './service.ts';

export function providerRoutes(ctx: BindContext, { tunnel, rotation, vpn }: ProvidersService): void {
  bind(ctx, tunnelAction, ({ params, body, request }) => {
    if (params.action === 'data') return tunnel.data();
    if (params.action === 'del') return tunnel.remove();
    if (params.action === 'config') return tunnel.config();
    if (params.action === 'reg') return tunnel.register(body.privateKey, body.publicKey);
    if (params.action === 'license') return tunnel.license(body.license);
    if (params.action === 'changeIp') return rotation.rotate(request.requestId);
    if (params.action === 'interval') return rotation.setInterval(String(body.interval), request.requestId);
    throw new DomainError('providers.unknownAction');
  });
  bind(ctx, vpnAction, ({ params, body }) => {
    if (params.action === 'countries') return vpn.countries();
    if (params.action === 'servers') return vpn.servers(body.countryId);
    if (params.action === 'reg') return vpn.register(body.token);
    if (params.action === 'setKey') return vpn.setKey(body.key);
    if (params.action === 'data') return vpn.data();
    if (params.action === 'del') return vpn.remove();
    throw new DomainError('providers.unknownAction');
  });
}
