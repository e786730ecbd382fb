import type { Api } from './api.ts';

const ALL = [{ action: 'allow' }];

interface Template {
  outbounds: { tag: string; protocol?: string; settings: Record<string, unknown> }[];
  routing: { rules: Record<string, unknown>[] };
}

/**
 * Lets clients reach private addresses: the sites of these journeys are on loopback, which the panel's template blocks
 * on purpose.
 * @param far an external address that is mapped to a local one, for clients whose own system keeps loopback to itself
 */
export async function allowPrivateEgress(api: Api, far?: { address: string; leadsTo: string }): Promise<void> {
  const template = await api.get<Template>('/panel/api/setting/getDefaultJsonConfig');
  for (const outbound of template.outbounds) if (outbound.tag === 'direct') outbound.settings['finalRules'] = ALL;
  template.routing.rules = template.routing.rules.filter((rule) => rule.ip === undefined);
  if (far !== undefined) {
    template.outbounds.push({ tag: 'far', protocol: 'freedom', settings: { redirect: far.leadsTo, finalRules: ALL } });
    template.routing.rules.push({ type: 'field', ip: [far.address], outboundTag: 'far' });
  }
  await api.post(
    '/panel/api/core/update',
    new URLSearchParams({ xraySetting: JSON.stringify(template), outboundTestUrl: '' }),
  );
}
