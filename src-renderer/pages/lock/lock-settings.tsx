import { Alert, Button, Group, PasswordInput, Stack, Switch, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LockChoices, LockView } from '../../../src-main/bridge/lock.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { announceDone, announceFailure } from '../../ui/notices/announce.ts';
import { NumberField } from '../../forms/number-field.tsx';

const SHORTEST = 8;

/** Settings of the window's lock. Every change asks for the current passphrase. */
export function LockSettings({ view, onChange }: { view: LockView; onChange: () => void }) {
  const { t } = useTranslation(['lock', 'words', 'shell']);
  const [current, setCurrent] = useState('');
  const [first, setFirst] = useState('');
  const [again, setAgain] = useState('');
  const [choices, setChoices] = useState({
    idleMin: view.idleMin,
    asksAgain: view.asksAgain,
    usesSystem: view.usesSystem,
  });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const save = async (passphrase: LockChoices['passphrase']): Promise<void> => {
    setBusy(true);
    try {
      const { ok, waitMs } = await requireDesktop().lock.set({ ...choices, current, passphrase });
      if (!ok) return setFailure(waitMs > 0 ? t('wait', { count: Math.ceil(waitMs / 1_000) }) : t('wrong'));
      setFailure(null);
      for (const clear of [setCurrent, setFirst, setAgain]) clear('');
      announceDone(t(passphrase === null ? 'removed' : 'saved'));
      onChange();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const isNew = first !== '' || !view.isSet;
    if (isNew && first.length < SHORTEST) return setFailure(t('short', { count: SHORTEST }));
    if (isNew && first !== again) return setFailure(t('differ'));
    void save(isNew ? first : undefined);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Text size="sm">{t('explain')}</Text>
        {failure !== null && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {view.isSet && (
          <PasswordInput
            label={t('current')}
            value={current}
            autoComplete="off"
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={t(view.isSet ? 'newPassphrase' : 'passphrase')}
          description={t('forgotten')}
          value={first}
          autoComplete="off"
          onChange={(event) => setFirst(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('again')}
          value={again}
          autoComplete="off"
          onChange={(event) => setAgain(event.currentTarget.value)}
        />
        <NumberField
          label={t('idle')}
          description={t('idleHint')}
          min={0}
          max={1_440}
          value={choices.idleMin}
          onChange={(idleMin) => setChoices({ ...choices, idleMin })}
        />
        <Switch
          label={t('asksAgain')}
          description={t('asksAgainHint')}
          checked={choices.asksAgain}
          onChange={(event) => setChoices({ ...choices, asksAgain: event.currentTarget.checked })}
        />
        {view.hasSystem && (
          <Switch
            label={t('usesSystem')}
            checked={choices.usesSystem}
            onChange={(event) => setChoices({ ...choices, usesSystem: event.currentTarget.checked })}
          />
        )}
        <Group justify="space-between">
          <Button variant="subtle" component={Link} to="/desktop/connections">
            {t('words:back')}
          </Button>
          <Group>
            {view.isSet && (
              <>
                <Button variant="default" onClick={() => void requireDesktop().lock.lockNow().catch(announceFailure)}>
                  {t('now')}
                </Button>
                <Button variant="default" color="red" disabled={current === ''} onClick={() => void save(null)}>
                  {t('remove')}
                </Button>
              </>
            )}
            <Button type="submit" loading={isBusy}>
              {t(view.isSet ? 'shell:save' : 'set')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
