import type { FieldTexts } from './field-text.ts';

/**
 * What the contracts report about fields. A check names its code as its message; zod's own issues get their code from
 * their kind.
 */
export const FIELD_TEXTS = {
  'field.required': ['required', 'is required'],
  'field.gte': ['gte', 'must be at least {param}', '{param}'],
  'field.lte': ['lte', 'must be at most {param}', '{param}'],
  'field.min': ['min', 'needs at least {param} characters', '{param}'],
  'field.max': ['max', 'takes at most {param} characters', '{param}'],
  'field.minEntries': ['min', 'needs at least {param} entries', '{param}'],
  'field.maxEntries': ['max', 'takes at most {param} entries', '{param}'],
  'field.oneof': ['oneof', 'must be one of: {param}', '{param}'],
  'field.type': ['type', '', '{param}'],
  'field.format': ['format', '', '{param}'],
  'field.startswith': ['startswith', '', '{param}'],
  'field.invalid': ['invalid', ''],
  'field.line': ['format', 'must not contain line breaks or other control characters', 'line'],
  'field.nul': ['format', 'must not contain a NUL character', 'line'],
  'field.dots': ['format', 'must not be . or ..', 'name'],
  'field.email': ['format', 'must be an e-mail address', 'email'],
  'field.uuid': ['format', 'must be a UUID, or empty to have one generated', 'uuid'],
  'field.inboundIds': ['format', 'must be inbound ids separated by commas', 'ids'],
  'field.inboundTag': ['format', 'must not contain >', 'tag'],
  'field.testUrl': ['format', 'must be an http or https URL, or empty for the built-in one', 'url'],
  'field.path': ['startswith', 'must start with /', '/'],
  'field.resetDay': ['excluded_with', 'cannot be used together with reset; set one of the two to 0', 'reset'],
  'field.hostTag': ['pattern', 'takes A-Z, 0-9, _ and : only'],
  'field.color': ['pattern', 'must be a colour such as #1261c9, or empty'],
  'field.picture': ['pattern', 'must be a PNG, JPEG, WebP or GIF picture as a data address, or empty'],
  'field.vlessRoute': ['pattern', 'takes ports and ranges from 0 to 65535, separated by commas'],
  'field.notObject': ['invalid', 'must be an object or its JSON text'],
  'field.addresses': ['invalid', 'must be a list of {ip, timestamp}'],
  'field.interval': ['invalid', 'must be a whole number of seconds'],
  'field.nodeName': ['invalid', 'node name is required'],
  'field.nodeAddress': ['invalid', 'address is required'],
  'field.nodeHost': ['invalid', 'invalid host "{value}"'],
  'field.nodePort': ['invalid', 'node port must be 1-65535'],
  'field.nodeMtls': ['invalid', 'mtls requires the node scheme to be https'],
  'field.pinEmpty': ['invalid', 'certificate pin is empty'],
  'field.pinInvalid': ['invalid', 'certificate pin must be a SHA-256 hash (base64 or hex)'],
  'field.tokenTwice': ['invalid', 'apiToken and clearApiToken are mutually exclusive'],
} as const satisfies FieldTexts;
export type FieldCode = keyof typeof FIELD_TEXTS;
