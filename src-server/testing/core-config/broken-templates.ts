import type { CoreConfigSource, JsonObject, LeftOut } from '../../core/config/source.ts';
import * as base from './base.ts';

export interface BrokenTemplate {
  name: string;
  template: JsonObject;
  /** Outbounds of a subscription, appended to the template's. */
  append: readonly JsonObject[];
  /** Whether the core refuses the template as stored. */
  refused: boolean;
  leftOut: readonly Pick<LeftOut, 'kind' | 'name'>[];
  warnings: number;
}

type Row = readonly [
  name: string,
  change: JsonObject,
  leftOut?: readonly Pick<LeftOut, 'kind' | 'name'>[],
  warnings?: number,
  more?: { refused?: boolean; append?: readonly JsonObject[] },
];

function rows(list: readonly Row[]): BrokenTemplate[] {
  return list.map(([name, change, leftOut = [], warnings = 0, { refused = true, append = [] } = {}]) => {
    return { name, template: { ...base.TEMPLATE, ...change }, append, refused, leftOut, warnings };
  });
}

const DIRECT: JsonObject = { tag: 'direct', protocol: 'freedom' };
const outbound = (name: string): Pick<LeftOut, 'kind' | 'name'> => ({ kind: 'outbound', name });
const rule = (name: string): Pick<LeftOut, 'kind' | 'name'> => ({ kind: 'rule', name });
const rules = (...list: JsonObject[]): JsonObject => ({ routing: { rules: list } });
const balancer = (change: JsonObject): JsonObject => ({
  routing: { rules: [], balancers: [{ tag: 'b', selector: ['a'], ...change }] },
});
const stream = (streamSettings: JsonObject): JsonObject => ({
  outbounds: [DIRECT, { tag: 'x', protocol: 'freedom', streamSettings }],
});

/** Every way a stored template or outbound would stop the core, and what is reported about it. */
export const BROKEN_TEMPLATES: readonly BrokenTemplate[] = rows([
  ['rule without condition', rules({ outboundTag: 'direct' }), [rule('rule 1 (direct)')]],
  ['rule with empty lists', rules({ ruleTag: 'r', inboundTag: [], user: [], outboundTag: 'direct' }), [rule('r')]],
  ['rule with an empty attrs', rules({ attrs: {}, outboundTag: 'direct' }), [rule('rule 1 (direct)')]],
  ['rule with localOS only', rules({ localOS: ['linux'], outboundTag: 'direct' }), [rule('rule 1 (direct)')]],
  ['rule without target', rules({ ip: ['1.1.1.1'] }), [rule('rule 1 (no target)')]],
  ['rule to a missing balancer', rules({ ip: ['1.1.1.1'], balancerTag: 'gone' }), [], 1],
  ['balancer without selector', balancer({ selector: [] }), [], 1],
  ['balancer without tag', balancer({ tag: '' }), [], 1],
  ['balancer with an unknown strategy', balancer({ strategy: { type: 'foo' } }), [], 1],
  ['balancer that measures without observatory', balancer({ strategy: { type: 'leastPing' } }), [], 1],
  ['balancer with a fallback without observatory', balancer({ fallbackTag: 'direct' }), [], 1],
  [
    'balancer twice',
    {
      routing: {
        rules: [],
        balancers: [
          { tag: 'b', selector: ['a'] },
          { tag: 'b', selector: ['c'] },
        ],
      },
    },
    [],
    1,
    { refused: false },
  ],
  [
    'rule tag twice',
    rules({ ruleTag: 'r', port: 1, outboundTag: 'direct' }, { ruleTag: 'r', port: 2, outboundTag: 'direct' }),
    [],
    1,
    { refused: false },
  ],
  [
    'observatory service without observatory',
    { api: { tag: 'api', listen: '127.0.0.1:1', services: ['ObservatoryService'] } },
  ],
  ['metrics without place', { metrics: {} }],
  ['reverse', { reverse: {} }, [], 1],
  ['transport', { transport: { tcpSettings: {} } }, [], 1],
  ['transport empty', { transport: {} }, [], 0, { refused: false }],
  ['outbound twice', { outbounds: [DIRECT, DIRECT] }, [outbound('direct')]],
  ['outbound protocol', { outbounds: [DIRECT, { tag: 'x', protocol: 'mtproto' }] }, [outbound('x')]],
  ['outbound that is none', { outbounds: [DIRECT, 'x'] }, [outbound('outbound 2')]],
  ['outbound network', stream({ network: 'quic' }), [outbound('x')]],
  ['outbound empty network', stream({ network: '' })],
  ['outbound allowInsecure', stream({ security: 'tls', tlsSettings: { allowInsecure: true } }), [outbound('x')]],
  [
    'outbound empty packet',
    stream({ network: 'kcp', finalmask: { udp: [{ type: 'noise', settings: { noise: [{ rand: 5, packet: [] }] } }] } }),
  ],
  ['first outbound', { outbounds: [{ tag: 'x', protocol: 'foo' }, DIRECT] }, [outbound('x')], 1],
  ['subscribed outbound of a known tag', {}, [outbound('direct')], 0, { refused: false, append: [DIRECT] }],
  [
    'template inbound twice',
    {
      inbounds: [
        { tag: 'a', protocol: 'http', port: 1, listen: '127.0.0.1' },
        { tag: 'a', protocol: 'http', port: 2, listen: '127.0.0.1' },
      ],
    },
    [{ kind: 'inbound', name: 'a' }],
  ],
  [
    'template inbound protocol',
    { inbounds: [{ tag: 'a', protocol: 'mtproto', port: 1 }] },
    [{ kind: 'inbound', name: 'a' }],
  ],
  ['template inbound listen', { inbounds: [{ tag: 'a', protocol: 'http', port: 1, listen: '' }] }],
]);

export function sourceOf({ template, append }: BrokenTemplate): CoreConfigSource {
  return base.configSource({ template, subscribedOutbounds: { prepend: [], append } });
}
