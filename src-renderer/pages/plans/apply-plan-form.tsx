import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_DAYS } from '#contract/clients';
import { PLAN_PARTS, previewPlan, type Plan, type PlanPart } from '#contract/plans';
import { keys } from '../../api/keys.ts';
import { useRead } from '../../api/use-read.ts';
import { RunningJobs } from '../../app/jobs-tray.tsx';
import { useFormat } from '../../i18n/format.ts';
import { DialogFooter } from '../../ui/layout/dialog-footer.tsx';
import { Failure } from '../../ui/notices/failure.tsx';
import { SaveWaits, useSaveWaits } from '../../ui/notices/save-waits.tsx';
import { useShowResult } from '../clients/actions/use-show-result.ts';
import { PlanChanges } from './plan-changes.tsx';
import type { ApplyPlan } from './use-apply-plan.ts';
import { FormFields } from '../../forms/form-fields.tsx';
import { NumberField } from '../../forms/number-field.tsx';

interface ApplyPlanFormProps {
  plan: Plan;
  apply: ApplyPlan;
  /** Clients that get the plan; absent = those that have it. */
  emails?: readonly string[];
  parts?: readonly PlanPart[] | undefined;
  addDays?: number | undefined;
  isOffer?: boolean;
  /** Told when something else was chosen or typed. */
  onEdit?: () => void;
  onCancel: () => void;
  onDone: () => void;
}

/** Selects the parts of a plan to apply, lists the changes, and applies them. */
export function ApplyPlanForm(props: ApplyPlanFormProps) {
  const { plan, apply, emails, parts = PLAN_PARTS, addDays = 0, isOffer = false, onEdit, onCancel, onDone } = props;
  const { t } = useTranslation(['plans', 'shell']);
  const format = useFormat();
  const show = useShowResult();
  const isWaiting = useSaveWaits();
  const [chosen, setChosen] = useState<readonly PlanPart[]>(parts);
  const [days, setDays] = useState(addDays);
  const wanted = PLAN_PARTS.filter((part) => chosen.includes(part));
  const body = { parts: wanted, addDays: days, ...(emails === undefined ? {} : { emails: [...emails] }) };
  const params = { id: String(plan.id) };
  const preview = useRead(previewPlan, { params, body }, [...keys.plans, 'preview', params.id, body], {
    // The server would refuse other numbers; the field says so.
    enabled: Math.abs(days) <= MAX_DAYS,
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = preview;
  const isLooking = preview.isFetching || data === undefined;
  const handleParts = (next: readonly PlanPart[]): void => {
    setChosen(next);
    onEdit?.();
  };
  const handleDays = (next: number): void => {
    setDays(next);
    onEdit?.();
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    apply.mutate(
      { params, body },
      {
        onSuccess: ({ changed, skipped }) => {
          show(t('apply.done', { count: changed }), { done: changed, skipped, undo: undefined });
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={handleSubmit}>
      <Stack>
        <Failure error={apply.error ?? preview.error} />
        <FormFields isSaving={apply.isPending}>
          <Checkbox.Group label={t('apply.what')} value={[...wanted]} onChange={handleParts}>
            <Group gap="sm" mt={4}>
              {PLAN_PARTS.map((part) => (
                <Checkbox
                  key={part}
                  value={part}
                  label={
                    data !== undefined && wanted.includes(part)
                      ? t('apply.partCount', {
                          part: t(`apply.part.${part}`),
                          count: format.number(data.parts[part] ?? 0),
                        })
                      : t(`apply.part.${part}`)
                  }
                />
              ))}
            </Group>
          </Checkbox.Group>
          {wanted.includes('term') && plan.days > 0 && (
            <NumberField
              label={t('apply.addDays')}
              description={t('apply.addDaysHint')}
              value={days}
              min={-MAX_DAYS}
              max={MAX_DAYS}
              empty={0}
              onChange={handleDays}
            />
          )}
        </FormFields>
        <div aria-live="polite">
          {data === undefined ? (
            <Text size="sm">{t('apply.counting')}</Text>
          ) : (
            <Text size="sm" fw={600}>
              {data.changed === 0
                ? t('apply.nothing')
                : t('apply.count', { changed: data.changed, total: format.number(data.total) })}
            </Text>
          )}
        </div>
        {data !== undefined && <PlanChanges preview={data} planName={plan.name} />}
        <DialogFooter>
          {apply.isPending && <RunningJobs kind="applyPlan" />}
          {isWaiting && <SaveWaits />}
          {!apply.isHeld && (
            <Button variant="default" onClick={onCancel}>
              {isOffer ? t('apply.later') : t('shell:cancel')}
            </Button>
          )}
          <Button
            type="submit"
            loading={apply.isPending}
            disabled={isWaiting || isLooking || data.changed === 0}
            data-autofocus
          >
            {t('apply.action', { count: data?.changed ?? 0 })}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
