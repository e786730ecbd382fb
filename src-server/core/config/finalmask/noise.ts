import { isBlank } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import { intRange, listOfEach, oneOf, rangeOf, shape, type FieldRule } from '../rules/field-rules.ts';
import { checkPacket } from './header-custom.ts';

const burst: FieldRule = shape(
  { rand: intRange, delay: intRange, type: oneOf('', 'array', 'str', 'hex', 'base64') },
  (value, where, report) => {
    const hasRandom = (rangeOf(value['rand'])?.to ?? 0) > 0;
    if (value['packet'] !== undefined && value['packet'] !== null && hasRandom) {
      refuse(report, where, 'config.packetOrRand');
    } else if (!isBlank(value['packet'])) {
      checkPacket(
        value['packet'] ?? null,
        typeof value['type'] === 'string' ? value['type'] : '',
        `${where}.packet`,
        report,
      );
    }
    const bytes = rangeOf(value['randRange']);
    if (bytes === null || bytes.from < 0 || bytes.to > 255)
      refuse(report, `${where}.randRange`, 'config.rangeWithin', { range: '0-255' });
  },
);

export const noise: FieldRule = shape({ reset: intRange, noise: listOfEach(burst) });
