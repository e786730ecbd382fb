import { ActionIcon, Anchor, Badge, Button, Group, Paper, Stack, Text, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { barRoom } from '../../../ui/layout/bar-room.ts';
import { jsonComplaint } from '../../../ui/json/json-editor-complaint.ts';
import { SaveWaits, useSaveWaits } from '../../../ui/notices/save-waits.tsx';
import classes from '../core.module.css';
import { changesBetween } from '../model/changes.ts';
import { isDirty, useDraft } from '../model/draft-store.ts';
import { Refusals } from './refusals.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { useDraftPlan } from './use-draft-plan.ts';
import { useSaveDraft } from './use-save-draft.ts';

/** What the draft holds and what saving it does; absent while there is nothing to save. */
export function DraftBar() {
  return useDraft(isDirty) ? <Bar /> : null;
}

function Bar() {
  const { t } = useTranslation('core');
  const { stored, template, looseText, past, future, testUrl, storedUrl, undo, redo, discard } = useDraft();
  const [isReviewing, review] = useState(false);
  const plan = useDraftPlan();
  const save = useSaveDraft();
  const count = useMemo(
    () => changesBetween(stored ?? {}, template ?? {}).length + (testUrl === storedUrl ? 0 : 1),
    [stored, template, testUrl, storedUrl],
  );
  const isWaiting = useSaveWaits();
  const isLoose = looseText !== null;
  const handleSave = (): void => {
    if (!isLoose && !save.isPending) save.mutate();
  };
  useHotkeys([['mod+S', handleSave]], []);
  const refusal = save.error ?? (plan.isSettled ? plan.error : null);
  return (
    <Paper
      ref={barRoom}
      withBorder
      shadow="md"
      p="sm"
      className={classes['bar'] ?? ''}
      role="region"
      aria-label={t('bar.label')}
    >
      <Stack gap="xs">
        {refusal !== null && !isLoose && (
          <Refusals
            title={save.error === null ? t('bar.wouldRefuse') : t('bar.refused')}
            error={refusal}
            template={template ?? {}}
          />
        )}
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {looseText === null ? t('bar.changes', { count }) : <LooseText text={looseText} />}
            </Text>
            {!isLoose && <PlanBadge plan={plan} />}
          </Group>
          <SaveWaits />
          <Group gap={6}>
            <Step label={t('bar.undo')} isOff={past.length === 0} onClick={undo} icon={IconArrowBackUp} />
            <Step label={t('bar.redo')} isOff={future.length === 0} onClick={redo} icon={IconArrowForwardUp} />
            <Button size="xs" px="xs" variant="default" disabled={isLoose} onClick={() => review(true)}>
              {t('bar.review')}
            </Button>
            <Button size="xs" px="xs" variant="default" onClick={discard}>
              {t('bar.discard')}
            </Button>
            <Button size="xs" px="xs" loading={save.isPending} disabled={isLoose || isWaiting} onClick={handleSave}>
              {t('bar.save')}
            </Button>
          </Group>
        </Group>
      </Stack>
      {isReviewing && <ReviewDialog onClose={() => review(false)} />}
    </Paper>
  );
}

interface StepProps {
  label: string;
  isOff: boolean;
  onClick: () => void;
  icon: typeof IconArrowBackUp;
}

function Step({ label, isOff, onClick, icon: Icon }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} disabled={isOff} aria-label={label} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Where the text stops being JSON. */
function LooseText({ text }: { text: string }) {
  const { t } = useTranslation('core');
  const complaint = jsonComplaint(text);
  if (complaint === null) return t('bar.noObject');
  return (
    <Anchor component={Link} to={`/panel/core/template?line=${complaint.line}`} size="sm">
      {t('bar.loose', { line: complaint.line, message: complaint.message })}
    </Anchor>
  );
}

const COLORS = { unchanged: 'gray', live: 'teal', restart: 'orange', notRunning: 'gray' };

function PlanBadge({ plan }: { plan: ReturnType<typeof useDraftPlan> }) {
  const { t } = useTranslation('core');
  if (!plan.isSettled || plan.isFetching)
    return (
      <Badge variant="default" tt="none">
        {t('plan.checking')}
      </Badge>
    );
  if (plan.data === undefined) return null;
  const { kind, reason } = plan.data;
  const badge = (
    <Badge variant="dot" color={COLORS[kind]} tt="none">
      {t(`plan.${kind}`)}
    </Badge>
  );
  return reason === '' ? (
    badge
  ) : (
    <Tooltip label={reason} multiline maw={360}>
      {badge}
    </Tooltip>
  );
}
