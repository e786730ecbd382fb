import { ActionIcon, Anchor, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SaveBar } from '../../../forms/draft/save-bar.tsx';
import { jsonComplaint } from '../../../ui/json/json-editor-complaint.ts';
import { changesBetween } from '../model/changes.ts';
import { discardDraft, useDraft, useIsUnsaved, useTestUrl } from '../model/draft.ts';
import { DraftConflict } from './draft-conflict.tsx';
import { TemplateRefusals } from './refusals.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { useDraftPlan } from './use-draft-plan.ts';
import { useSaveDraft } from './use-save-draft.ts';

/** The changes in the draft and what saving them does; absent while there is nothing to save. */
export function DraftBar() {
  return useIsUnsaved() ? <Bar /> : null;
}

function Bar() {
  const { t } = useTranslation(['core', 'words']);
  const { start, draft, looseText, past, future, undo, redo } = useDraft();
  const isUrlTyped = useTestUrl(({ stored, typed }) => typed !== stored);
  const [isReviewing, review] = useState(false);
  const plan = useDraftPlan();
  const save = useSaveDraft();
  const count = useMemo(() => changesBetween(start ?? {}, draft).length, [start, draft]) + Number(isUrlTyped);
  const isLoose = looseText !== null;
  const refusal = save.error ?? (plan.isSettled ? plan.error : null);
  return (
    <>
      <SaveBar
        label={t('bar.label')}
        isSaving={save.isPending}
        isSavable={!isLoose}
        onSave={() => save.mutate()}
        isDense
        notices={
          <>
            {!save.isPending && <DraftConflict />}
            {refusal !== null && !isLoose && (
              <TemplateRefusals
                title={save.error === null ? t('bar.wouldRefuse') : t('words:notSaved')}
                error={refusal}
                template={draft}
              />
            )}
          </>
        }
        actions={
          <>
            <Step label={t('bar.undo')} isOff={past.length === 0} onClick={undo} icon={IconArrowBackUp} />
            <Step label={t('bar.redo')} isOff={future.length === 0} onClick={redo} icon={IconArrowForwardUp} />
            <Button size="xs" px="xs" variant="default" disabled={isLoose} onClick={() => review(true)}>
              {t('bar.review')}
            </Button>
            <Button size="xs" px="xs" variant="default" onClick={discardDraft}>
              {t('bar.discard')}
            </Button>
          </>
        }
      >
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {looseText === null ? t('bar.changes', { count }) : <LooseText text={looseText} />}
          </Text>
          {!isLoose && <PlanBadge plan={plan} />}
        </Group>
      </SaveBar>
      {isReviewing && <ReviewDialog onClose={() => review(false)} />}
    </>
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

/** The line at which the text stops being JSON. */
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
