import type { ValidationIssue } from '../../contract/envelope.ts';
import { issueMaker, type FieldTexts } from '../../contract/fields/field-text.ts';

/** Issues of inbound fields that the contract and the core's rules do not detect. */
export const INBOUND_FIELD_TEXTS = {
  'inboundField.tooLong': ['max', 'takes at most {max} characters', '{max}'],
  'inboundField.array': ['type', 'must be an array', 'array'],
  'inboundField.object': ['type', 'must be an object', 'object'],
  'inboundField.childUnknown': ['exists', 'names no inbound: #{id}'],
  'inboundField.fallbackPath': ['startswith', 'must be empty or start with /'],
  'inboundField.fallbackDest': ['format', 'must be a port, host:port or the path of a socket'],
  'inboundField.geoFile': [
    'geofile',
    'needs the geo file {name}, which is not there; download it or remove the entries that name it',
    '{name}',
  ],
  'inboundField.certificate': ['certificate', 'is no PEM certificate'],
  'inboundField.certificateFile': [
    'certificate',
    'names no readable PEM certificate; check the path and that the panel may read it',
  ],
  'inboundField.key': ['certificate', 'is no unencrypted PEM private key'],
  'inboundField.keyFile': [
    'certificate',
    'names no readable, unencrypted PEM private key; check the path and that the panel may read it',
  ],
  'inboundField.keyElsewhere': ['certificate', 'does not belong to the certificate'],
} as const satisfies FieldTexts;

export const inboundIssue = issueMaker(INBOUND_FIELD_TEXTS);

/** An issue for JSON that nothing may contain. */
export const hostileIssue = (field: string, message: string): ValidationIssue => ({
  field,
  rule: 'format',
  code: 'field.format',
  params: { param: 'json' },
  message,
});
