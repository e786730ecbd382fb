import type { FieldTexts } from '../../../contract/fields/field-text.ts';

/** Texts about the core template. */
export const TEMPLATE_TEXTS = {
  'config.sectionList': ['type', 'must be a list.', 'list'],
  'config.localListen': ['format', 'must be a loopback address with a port, such as 127.0.0.1:62789.'],
  'config.staysLocal': [
    'unsupported',
    'must stay on this machine: use 127.0.0.1 or the path of a socket.',
    '127.0.0.1',
  ],
  'config.apiStaysLocal': [
    'unsupported',
    'must stay on this machine, because it leads to the API: use 127.0.0.1.',
    '127.0.0.1',
  ],
  'config.usedTwice': ['unique', 'is used twice: {name}. Rename one.'],
  'config.chainCircle': ['unsupported', 'dials through itself in the end; choose another outbound in its chain.'],
  'config.sectionRemoved': ['removed', 'was removed from the core; delete this section.'],
  'config.observatory': ['required', 'needs an observatory for its strategy or fallback; add one.'],
  'config.subscriptionTag': ['unique', 'is the tag of an outbound of a subscription: {tag}. Choose another.', ''],
  'config.balancerUnknown': ['oneof', 'names a balancer that does not exist: {balancer}.'],
} as const satisfies FieldTexts;

/** Why the core would refuse a part of the template; it runs without that part. */
export const PROBLEM_TEXTS = {
  'cannotRun.notObject': ['unsupported', 'it is not an object.'],
  'cannotRun.inboundTag': ['unsupported', 'another inbound of the template has the same tag; rename one.'],
  'cannotRun.inboundProtocol': ['unsupported', 'the core has no inbound protocol "{protocol}".'],
  'cannotRun.outboundTag': ['unsupported', 'another outbound has the same tag; rename one.'],
  'cannotRun.outboundProtocol': ['unsupported', 'the core has no outbound protocol "{protocol}".'],
  'cannotRun.transport': ['unsupported', 'the core has no transport "{transport}".'],
  'cannotRun.allowInsecure': [
    'unsupported',
    'allowInsecure was removed from the core; pin the certificate (pinnedPeerCertSha256) instead.',
  ],
  'cannotRun.noTarget': ['required', 'it names neither an outbound nor a balancer; choose one.'],
  'cannotRun.noCondition': [
    'required',
    'it has no condition left, and the core refuses such a rule; add one or delete it.',
  ],
  'cannotRun.balancerNotObject': ['required', 'it is not an object.'],
  'cannotRun.noTag': ['required', 'it has no tag.'],
  'cannotRun.noSelector': ['required', 'it selects no outbounds.'],
  'cannotRun.strategy': ['required', 'the core has no strategy {strategy}.'],
} as const satisfies FieldTexts;
