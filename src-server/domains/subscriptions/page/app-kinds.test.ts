import { expect, test } from 'vitest';
import { recordingLogger } from '../../../testing/test-store.ts';
import { createAppKinds, type DetectionSettings } from './app-kinds.ts';

const BOTH: DetectionSettings = {
  subYamlEnable: true,
  subYamlAutoDetect: true,
  subYamlUserAgentRegex: '',
  subJsonEnable: true,
  subJsonAutoDetect: true,
  subJsonUserAgentRegex: '',
};

test.each<[string, Partial<DetectionSettings>, string[]]>([
  ['ClashMeta/1.18', {}, ['yaml']],
  ['mihomo', { subYamlAutoDetect: false }, []],
  ['mihomo', { subYamlEnable: false }, []],
  ['v2rayNG/1.8.5', {}, []],
  ['v2rayNG/1.8.5', { subJsonUserAgentRegex: '^v2ray' }, ['json']],
  ['v2rayNG/1.8.5', { subJsonUserAgentRegex: '^V2RAY' }, []],
  ['v2rayNG/1.8.5', { subJsonUserAgentRegex: '(?i)^V2RAY', subYamlUserAgentRegex: 'NG' }, ['yaml', 'json']],
  ['clash', { subYamlUserAgentRegex: '(' }, ['yaml']],
  ['other', { subJsonUserAgentRegex: '(' }, []],
  [`${'a'.repeat(512)}clash`, {}, []],
])('%s with %j', (agent, settings, kinds) => {
  expect(createAppKinds(recordingLogger())({ ...BOTH, ...settings }, agent)).toEqual(kinds);
});

test('a pattern that ruins a backtracking engine costs nothing', () => {
  const kinds = createAppKinds(recordingLogger());
  const settings = { ...BOTH, subJsonUserAgentRegex: '^(((a+)+)+)+$' };
  for (let round = 0; round < 200; round += 1) expect(kinds(settings, `${'a'.repeat(400)}!`)).toEqual([]);
});
