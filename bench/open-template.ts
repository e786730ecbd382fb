import { defaultTemplate } from '../src-server/core/config/template/default-template.ts';

interface Template {
  outbounds: { tag: string; settings: Record<string, unknown> }[];
  routing: { rules: { ip?: unknown }[] };
}

const template = defaultTemplate() as unknown as Template;
for (const outbound of template.outbounds)
  if (outbound.tag === 'direct') outbound.settings['finalRules'] = [{ action: 'allow' }];
template.routing.rules = template.routing.rules.filter((rule) => rule.ip === undefined);

/** The built-in core template, except that clients reach loopback, where the benchmark's web site is. */
export const OPEN_TEMPLATE = JSON.stringify(template);
