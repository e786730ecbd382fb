import { Button, Checkbox, Group, Input, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { MAX_DAYS } from '#contract/clients';
import { CLIENT_VERBS, PANEL_VERBS, type BulkVerb, type VerbRequest } from '../../../../src-main/bridge/jobs.ts';
import { focusRefused } from '../../../forms/focus-refused.ts';
import { NumberField } from '../../../forms/number-field.tsx';
import { SizeField } from '../../../forms/size-field.tsx';
import type { NamedPanel } from '../panel-names.ts';
import { useEmailsProblem } from '../typed-emails.ts';
import { requestOf, isAboutClients, type VerbDraft, type VerbProblem } from './verb-model.ts';

interface FormProps {
  draft: VerbDraft;
  panels: readonly NamedPanel[];
  isBusy: boolean;
  onChange: (draft: VerbDraft) => void;
  onPlan: (request: VerbRequest) => void;
}

/** Chooses the action, the clients and the panels. */
export function VerbForm({ draft, panels, isBusy, onChange, onPlan }: FormProps) {
  const { t } = useTranslation('works');
  const [isChecked, setChecked] = useState(false);
  const { request, problems } = requestOf(draft);
  const emailsProblem = useEmailsProblem(request.emails);
  // Its field says so by itself.
  const isUnclear = draft.verb === 'extend' && typeof draft.traffic === 'string';
  const problemOf = (problem: VerbProblem): string | null =>
    isChecked && problems.includes(problem) ? t(`verbs.${problem}`) : null;
  const set = (part: Partial<VerbDraft>): void => onChange({ ...draft, ...part });
  const handleSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    flushSync(() => setChecked(true));
    if (problems.length === 0 && emailsProblem === null && !isUnclear) onPlan(request);
    else focusRefused(event.currentTarget);
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Select
          label={t('verbs.verb')}
          allowDeselect={false}
          data={[...CLIENT_VERBS, ...PANEL_VERBS].map((value) => ({ value, label: t(`verb.${value}`) }))}
          value={draft.verb}
          onChange={(verb) => set({ verb: verb as BulkVerb })}
          data-autofocus
        />
        {isAboutClients(draft.verb) && (
          <Textarea
            label={t('verbs.emails')}
            description={t('verbs.emailsHint')}
            rows={3}
            dir="ltr"
            value={draft.emails}
            error={emailsProblem ?? problemOf('emailsMissing')}
            onChange={(event) => set({ emails: event.currentTarget.value })}
          />
        )}
        {draft.verb === 'extend' && (
          <Group align="start">
            <NumberField
              label={t('verbs.days')}
              min={-MAX_DAYS}
              max={MAX_DAYS}
              value={draft.days}
              empty={0}
              error={problemOf('amountMissing')}
              onChange={(days) => set({ days })}
            />
            <SizeField
              label={t('verbs.traffic')}
              min={Number.MIN_SAFE_INTEGER}
              value={draft.traffic}
              empty={0}
              onChange={(traffic) => set({ traffic })}
            />
          </Group>
        )}
        {draft.verb === 'updateCore' && (
          <TextInput
            label={t('verbs.version')}
            description={t('verbs.versionHint')}
            dir="ltr"
            value={draft.version}
            error={problemOf('versionWrong')}
            onChange={(event) => set({ version: event.currentTarget.value })}
          />
        )}
        <PanelChoice
          panels={panels}
          chosen={draft.panelIds}
          error={problemOf('panelsMissing')}
          onChange={(panelIds) => set({ panelIds })}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('verbs.plan')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ChoiceProps {
  panels: readonly NamedPanel[];
  chosen: readonly string[];
  error: string | null;
  onChange: (ids: string[]) => void;
}

function PanelChoice({ panels, chosen, error, onChange }: ChoiceProps) {
  const { t } = useTranslation('works');
  const isAll = panels.length > 0 && chosen.length === panels.length;
  return (
    <Input.Wrapper label={t('verbs.panels')} labelElement="div" error={error}>
      <Stack gap="xs" my="xs" role="group" aria-label={t('verbs.panels')}>
        <Checkbox
          label={t('verbs.all')}
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          aria-invalid={error !== null}
          onChange={() => onChange(isAll ? [] : panels.map(({ id }) => id))}
        />
        <Group gap="md">
          {panels.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={<bdi>{name}</bdi>}
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
            />
          ))}
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
