import { Button, Group, Menu, Progress, Stack, Table, Text } from '@mantine/core';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { useTranslation } from 'react-i18next';
import {
  deleteCertificate,
  obtainCertificate,
  revokeCertificate,
  type Certificate,
  type CertificateUse,
} from '#contract/certificates';
import { cancelJob } from '#contract/jobs';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { useFormat } from '../../../i18n/format.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { serverNow } from '../../../stores/server-clock.ts';
import { confirmAction } from '../../../ui/confirm.tsx';
import { announceDone, announceFailure } from '../../../ui/notices/announce.ts';
import { settingsDraft } from '../settings-draft.ts';
import { daysLeft, stateOf } from './certificate-state.ts';
import { useJob } from './use-certificates.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';

interface CertificateRowProps {
  certificate: Certificate;
  onEdit: () => void;
  onDetails: () => void;
}

export function CertificateRow({ certificate, onEdit, onDetails }: CertificateRowProps) {
  const { t } = useTranslation(['certificates', 'words']);
  const format = useFormat();
  const { name, names, renewsAt, usedBy } = certificate;
  const nowMs = serverNow();
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Text fw={600} size="sm" span display="block">
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" span display="block">
          <bdi dir="ltr">{names.join(', ')}</bdi>
        </Text>
      </Table.Th>
      <Table.Td data-label={t('words:state')} maw={360}>
        <State certificate={certificate} nowMs={nowMs} />
      </Table.Td>
      <Table.Td data-label={t('column.renewal')}>
        <Text size="sm" span>
          {renewsAt === 0 ? t('noRenewal') : renewsAt <= nowMs ? t('renewsNow') : format.dateTime(renewsAt)}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('column.usedBy')}>
        <UsedBy uses={usedBy} />
      </Table.Td>
      <Table.Td ta="end">
        <Verbs certificate={certificate} onEdit={onEdit} onDetails={onDetails} />
      </Table.Td>
    </Table.Tr>
  );
}

const TONES = {
  none: 'gray',
  valid: 'green',
  ending: 'yellow',
  expired: 'red',
  revoked: 'red',
} as const satisfies Record<string, Tone>;

function State({ certificate, nowMs }: { certificate: Certificate; nowMs: number }) {
  const { t } = useTranslation('certificates');
  const format = useFormat();
  const { facts, lastFailure, jobId } = certificate;
  const state = stateOf(certificate, nowMs);
  return (
    <Stack gap={4}>
      <div>
        <Chip tone={TONES[state]}>{t(`state.${state}`, { days: facts === null ? 0 : daysLeft(facts, nowMs) })}</Chip>
      </div>
      {jobId !== '' && <Work id={jobId} name={certificate.name} />}
      {jobId === '' && lastFailure !== null && (
        <Text size="xs" c="var(--mantine-color-error)" dir="auto">
          {t('failed', { when: format.dateTime(lastFailure.at), why: reasonWords(lastFailure) })}
        </Text>
      )}
    </Stack>
  );
}

const STEPS = new Set(['account', 'order', 'prove', 'check', 'sign']);
type Step = 'account' | 'order' | 'prove' | 'check' | 'sign';

/** Progress of an order, with a button to cancel it. */
function Work({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation(['certificates', 'shell']);
  const job = useJob(id);
  const cancel = useChange(cancelJob, [keys.jobs]);
  const step = job !== undefined && STEPS.has(job.stage) ? (job.stage as Step) : 'waits';
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <Stack gap={2} flex={1}>
        <Text size="xs">{t(`step.${step}`)}</Text>
        <Progress
          value={job === undefined || job.total === 0 ? 0 : (job.done / job.total) * 100}
          aria-label={t('progress', { name })}
        />
      </Stack>
      <Button
        size="compact-xs"
        variant="default"
        disabled={job === undefined || job.isCancelling}
        aria-label={t('cancelNamed', { name })}
        onClick={() => cancel.mutate({ params: { id } }, { onError: announceFailure })}
      >
        {t('shell:cancel')}
      </Button>
    </Group>
  );
}

function UsedBy({ uses }: { uses: readonly CertificateUse[] }) {
  const { t } = useTranslation('certificates');
  if (uses.length === 0)
    return (
      <Text size="sm" span>
        {t('unused')}
      </Text>
    );
  return uses.map(({ owner, inboundId, name }) => (
    <Text key={`${owner} ${inboundId}`} size="sm" span display="block">
      {owner === 'inbound' ? <bdi>{name}</bdi> : t(`owner.${owner}`)}
    </Text>
  ));
}

function Verbs({ certificate, onEdit, onDetails }: CertificateRowProps) {
  const { t } = useTranslation(['certificates', 'words']);
  const obtain = useChange(obtainCertificate, [keys.settings, keys.jobs]);
  const revoke = useChange(revokeCertificate, [keys.settings]);
  const remove = useChange(deleteCertificate, [keys.settings]);
  const { id, name, file, facts, source, jobId, isRevoked } = certificate;
  const isBusy = jobId !== '';
  const confirmThen = async (what: 'revoke' | 'delete' | 'replace', act: () => void): Promise<void> => {
    const isSure = await confirmAction({
      title: t(`askTitle.${what}`, { name }),
      text: t(`askText.${what}`),
      action: t(`askAction.${what}`),
    });
    if (isSure) act();
  };
  const handleObtain = (): void => obtain.mutate({ params: { id } }, { onError: announceFailure });
  /** Edits the draft of the settings, which the save bar below stores. */
  const use = (server: 'web' | 'sub'): void => {
    settingsDraft.getState().edit(`${server}CertFile`, file);
    settingsDraft.getState().edit(`${server}KeyFile`, file);
    announceDone(t('use.done'));
  };
  const isPinned = source === 'selfSigned' && facts !== null;
  return (
    <RowMenu label={t('menu', { name })}>
      <Menu.Item
        disabled={isBusy}
        onClick={() => (isPinned ? void confirmThen('replace', handleObtain) : handleObtain())}
      >
        {t(isPinned ? 'askAction.replace' : facts === null ? 'obtain' : 'renew')}
      </Menu.Item>
      <Menu.Item disabled={facts === null} onClick={onDetails}>
        {t('details.open')}
      </Menu.Item>
      <Menu.Item disabled={facts === null} onClick={() => use('web')}>
        {t('use.web')}
      </Menu.Item>
      <Menu.Item disabled={facts === null} onClick={() => use('sub')}>
        {t('use.sub')}
      </Menu.Item>
      <Menu.Item disabled={isBusy} onClick={onEdit}>
        {t('words:edit')}
      </Menu.Item>
      <Menu.Divider />
      {source === 'acme' && (
        <Menu.Item
          color="red"
          disabled={isBusy || facts === null || isRevoked}
          onClick={() =>
            void confirmThen('revoke', () => revoke.mutate({ params: { id } }, { onError: announceFailure }))
          }
        >
          {t('askAction.revoke')}
        </Menu.Item>
      )}
      <Menu.Item
        color="red"
        disabled={isBusy}
        onClick={() =>
          void confirmThen('delete', () => remove.mutate({ params: { id } }, { onError: announceFailure }))
        }
      >
        {t('askAction.delete')}
      </Menu.Item>
    </RowMenu>
  );
}
