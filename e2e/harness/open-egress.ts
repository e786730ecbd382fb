import type { Api } from './api.ts';

interface Template {
  outbounds: { tag: string; settings: Record<string, unknown> }[];
  routing: { rules: { ip?: unknown }[] };
}

/**
 * Lets clients reach private addresses: the sites of these journeys live on loopback, which the panel's template blocks
 * on purpose.
 */
export async function allowPrivateEgress(api: Api): Promise<void> {
  const template = await api.get<Template>('/panel/api/setting/getDefaultJsonConfig');
  for (const outbound of template.outbounds)
    if (outbound.tag === 'direct') outbound.settings['finalRules'] = [{ action: 'allow' }];
  template.routing.rules = template.routing.rules.filter((rule) => rule.ip === undefined);
  await api.post(
    '/panel/api/core/update',
    new URLSearchParams({ xraySetting: JSON.stringify(template), outboundTestUrl: '' }),
  );
}
