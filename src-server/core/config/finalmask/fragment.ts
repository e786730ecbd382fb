import { listOf } from '../json-access.ts';
import { refuse } from '../rules/finding.ts';
import { intRange, listOfEach, rangeOf, shape, type FieldRule } from '../rules/field-rules.ts';

const packets: FieldRule = (value, where, report) => {
  if (value === '' || value === 'tlshello') return;
  const range = typeof value === 'string' ? rangeOf(value) : null;
  if (range === null || range.from < 1) refuse(report, where, 'config.fragmentPackets');
};

export const fragment: FieldRule = shape(
  {
    packets,
    length: intRange,
    delay: intRange,
    lengths: listOfEach(intRange),
    delays: listOfEach(intRange),
    maxSplit: intRange,
  },
  (value, where, report) => {
    const lengths = listOf(value['lengths']);
    const last = rangeOf(lengths.length > 0 ? lengths.at(-1) : value['length']);
    if (last !== null && last.from <= 0) {
      const member = lengths.length > 0 ? `lengths[${lengths.length - 1}]` : 'length';
      refuse(report, `${where}.${member}`, 'config.atLeast', { min: 1 });
    }
  },
);
