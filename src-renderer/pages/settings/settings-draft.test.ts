import { afterEach, describe, expect, it } from 'vitest';
import { Settings, type SettingsView } from '#contract/settings';
import { CallError } from '../../api/transport.ts';
import { refusedFields } from './refused-fields.ts';
import { effectOfAll, GROUPS, isShown, SHOWN_SECTIONS } from './sections.ts';
import { setErased, setSetting, settingsDraft, toWire } from './settings-draft.ts';

const STORED = { ...Settings.parse({}), hasTgBotToken: true } as SettingsView;
const draft = () => settingsDraft.getState().draft;

afterEach(() => settingsDraft.getState().discard());

describe('draft of the settings', () => {
  it('holds the differences from the stored values, and nothing when they are typed back', () => {
    setSetting('webPort', 8443, STORED);
    setSetting('subTitle', 'Home', STORED);
    expect(toWire(draft())).toEqual({ webPort: 8443, subTitle: 'Home' });
    setSetting('webPort', STORED.webPort, STORED);
    expect(Object.keys(draft())).toEqual(['subTitle']);
  });

  it('keeps a blank secret, and erases one only on request', () => {
    setSetting('tgBotToken', 'x', STORED);
    setSetting('tgBotToken', '', STORED);
    expect(toWire(draft())).toEqual({});
    setErased('tgBotToken', true);
    expect(toWire(draft())).toEqual({ clearTgBotToken: true });
    setSetting('tgBotToken', 'new', STORED);
    expect(toWire(draft())).toEqual({ tgBotToken: 'new' });
  });

  it('reports the strongest effect of its changes', () => {
    expect(effectOfAll(['subTitle', 'tgBotEnable'])).toBe('live');
    expect(effectOfAll(['subTitle', 'subPort'])).toBe('sub');
    expect(effectOfAll(['subPort', 'webPort'])).toBe('panel');
    expect(effectOfAll(['webDomain'])).toBe('panel');
  });
});

describe('rows of the settings', () => {
  it('cover every setting once, except two-factor sign-in', () => {
    const rows = GROUPS.flatMap(({ keys }): string[] => [...keys]);
    const others = [
      'twoFactorEnable',
      'twoFactorToken',
      // Columns of the grid of events.
      'tgEnabledEvents',
      'smtpEnabledEvents',
      'smtpClientEvents',
      'panelEnabledEvents',
      'desktopEnabledEvents',
    ];
    expect([...rows, ...others].sort()).toEqual(Object.keys(Settings.shape).sort());
  });
});

describe('a refused save', () => {
  it('is shown at the field that its text names, else at the changed field it concerns', () => {
    const schedule = new CallError('refused', 'no schedule: x', 'settings.schedule', [], { field: 'ldapSyncCron' });
    expect(refusedFields(schedule, ['tgRunTime', 'ldapSyncCron'])).toEqual({ ldapSyncCron: schedule.message });
    const path = new CallError('refused', 'URI path contains an invalid character', 'settings.path');
    expect(refusedFields(path, ['subJsonPath'])).toEqual({ subJsonPath: path.message });
    expect(refusedFields(path, ['subTitle'])).toEqual({});
    const mail = new CallError('refused', 'not this path', 'settings.mailPath', [], { field: 'subYamlPath' });
    expect(refusedFields(mail, ['subJsonPath', 'subYamlPath'])).toEqual({ subYamlPath: mail.message });
    expect(refusedFields(mail, ['subPath'])).toEqual({ subPath: mail.message });
    expect(refusedFields(new CallError('refused', 'other', 'unknown'), ['webPort'])).toEqual({});
  });

  it('is shown at every field that the answer lists', () => {
    const issues = [
      { field: 'webPort', rule: 'min', code: '', params: {}, message: 'too small' },
      { field: 'subUpdates', rule: 'max', code: '', params: {}, message: 'too big' },
    ];
    expect(refusedFields(new CallError('invalid', '', '', issues), [])).toEqual({
      webPort: 'too small',
      subUpdates: 'too big',
    });
  });

  it('are shown only for settings with an effect', () => {
    expect(SHOWN_SECTIONS).toEqual([
      'general',
      'security',
      'certificates',
      'subscription',
      'bot',
      'notifications',
      'directory',
      'backup',
    ]);
    const kept = ['subHideSettings', 'subThemeDir', 'subJsonAlwaysArray'] as const;
    expect([...kept, ...(['webPort', 'subPath'] as const)].map(isShown)).toEqual([false, false, false, true, true]);
  });
});
