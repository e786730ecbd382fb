import { rangeOf } from '../../core/config/rules/field-rules.ts';
import { asList, asObject, asText } from '../encoding.ts';
import { hopPortRanges } from '../final-mask.ts';
import type { Endpoint } from '../types.ts';

/** What only the sending side does: the other needs to know nothing of it. */
const OF_THE_SENDER = ['fragment', 'noise'];

/** Why apps that read YAML could not use the masks of an endpoint; null = they can. */
export function whyNoMask(endpoint: Endpoint): string | null {
  const isHysteria = endpoint.network === 'hysteria';
  const masks = asList(endpoint.finalMask[isHysteria ? 'udp' : 'tcp']).map(asObject);
  const known = isHysteria ? [...OF_THE_SENDER, 'salamander'] : OF_THE_SENDER;
  const unknown = masks.map(({ type }) => asText(type)).find((type) => !known.includes(type));
  if (unknown !== undefined) return `The format has no mask ${unknown}`;
  if (!isHysteria) return null;
  const salamanders = masks.filter(({ type }) => type === 'salamander');
  if (salamanders.length > 1) return 'The format has one mask of salamander only';
  if (salamanders.some(({ settings }) => rangeOf(asObject(settings)['packetSize'])?.to !== 0))
    return 'The format has no packet sizes of salamander';
  const areValid = hopPortRanges(endpoint).every((range) => /^\d{1,5}(-\d{1,5})?$/.test(range));
  return areValid ? null : 'The ports to hop over are not valid';
}
