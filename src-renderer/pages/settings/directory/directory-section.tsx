import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { getDirectoryState, testDirectory, type DirectoryTest } from '#contract/directory';
import { keys } from '../../../api/keys.ts';
import { useRead } from '../../../api/use-read.ts';
import { useChange } from '../../../api/use-change.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';
import toolbar from '../../../ui/layout/toolbar.module.css';
import { useDialogParam } from '../../../ui/address/use-dialog-param.ts';
import { Hint } from '../../../ui/layout/hint.tsx';
import { changedKeys, useSettingsDraft } from '../settings-draft.ts';
import { DirectoryPlanDialog } from './plan-dialog.tsx';
import { LastRun } from './last-run.tsx';
import { TestStages } from './test-stages.tsx';

const LOOK_EVERY_MS = 5_000;

/** State of the synchronisation, and its actions. */
export function DirectorySection() {
  const { t } = useTranslation('settings');
  const state = useRead(getDirectoryState, {}, [...keys.settings, 'directory'], { refetchInterval: LOOK_EVERY_MS });
  const test = useChange(testDirectory, []);
  const plan = useDialogParam('plan');
  const { changes, erased } = useSettingsDraft();
  const isUnsaved = changedKeys(changes, erased).some((key) => key.startsWith('ldap'));
  return (
    <TitledCard title={t('directory.title')}>
      <QueryView query={state}>{(found) => <LastRun state={found} />}</QueryView>
      <Stack gap="xs">
        <Group gap="xs" className={toolbar['verbs'] ?? ''}>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({}, { onError: announceFailure })}
          >
            {t('directory.test')}
          </Button>
          <Button variant="default" onClick={() => plan.open('now')}>
            {t('directory.look')}
          </Button>
        </Group>
        {isUnsaved && <Hint>{t('directory.unsaved')}</Hint>}
      </Stack>
      <div role="status">{test.data !== undefined && !test.isPending && <TestResult test={test.data} />}</div>
      {plan.value !== null && <DirectoryPlanDialog onClose={plan.close} />}
    </TitledCard>
  );
}

function TestResult({ test }: { test: DirectoryTest }) {
  const { t } = useTranslation('settings');
  return (
    <Alert color={test.failure === null ? 'teal' : 'red'} title={t('directory.testTitle')}>
      <TestStages test={test} />
    </Alert>
  );
}
