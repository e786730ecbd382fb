import { Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DriftField, DriftRow, DriftVerb } from '#contract/nodes/drift';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';
import classes from './drift.module.css';
import { VERBS } from './drift-verbs.tsx';
import { isNamedField, useDriftValue } from './drift-values.ts';

interface DriftItemProps {
  row: DriftRow;
  isPicked: boolean;
  isPending: boolean;
  onPick: (isOn: boolean) => void;
  onSettle: (verb: DriftVerb) => void;
}

const STATE_TONES: Record<DriftRow['state'], Tone> = {
  same: 'green',
  differs: 'yellow',
  missing: 'red',
  onlyThere: 'blue',
};

/** Decisions for a row: what only the node has cannot be sent, what it lacks cannot be taken over. */
function allows({ kind, state }: DriftRow, verb: DriftVerb): boolean {
  if (verb === 'adopt') return state !== 'missing';
  return verb !== 'send' || kind === 'client' || state !== 'onlyThere';
}

/** An inbound or a client of the node, with three values for every field that differs. */
export function DriftItem({ row, isPicked, isPending, onPick, onSettle }: DriftItemProps) {
  const { t } = useTranslation('nodes');
  const { name, state, isLeft, isWaiting, fields } = row;
  return (
    <Paper withBorder p="sm" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs" className={classes['head'] ?? ''}>
            {state !== 'same' && (
              <Checkbox
                aria-label={t('drift.choose', { name })}
                checked={isPicked}
                onChange={(event) => onPick(event.currentTarget.checked)}
              />
            )}
            <Text fw={600} className={classes['name'] ?? ''}>
              <bdi>{name}</bdi>
            </Text>
            <Chip tone={STATE_TONES[state]}>{t(`drift.state.${state}`)}</Chip>
            {isLeft && <Chip tone="gray">{t('drift.left')}</Chip>}
            {isWaiting && <Chip tone="blue">{t('drift.waiting')}</Chip>}
          </Group>
          {state !== 'same' && (
            <Group gap="xs">
              {VERBS.filter((verb) => allows(row, verb) && !(verb === 'leave' && isLeft)).map((verb) => (
                <Button
                  key={verb}
                  size="xs"
                  variant="default"
                  disabled={isPending}
                  aria-label={t('drift.verbOf', { verb: t(`drift.verb.${verb}`), name })}
                  onClick={() => onSettle(verb)}
                >
                  {t(`drift.verb.${verb}`)}
                </Button>
              ))}
            </Group>
          )}
        </Group>
        {fields.length > 0 && <Fields fields={fields} name={name} />}
      </Stack>
    </Paper>
  );
}

const SIDES = ['want', 'applied', 'has'] as const;

function Fields({ fields, name }: { fields: readonly DriftField[]; name: string }) {
  const { t } = useTranslation('nodes');
  const show = useDriftValue();
  return (
    <table className={classes['fields']} aria-label={t('drift.fieldsOf', { name })}>
      <thead>
        <tr>
          <th scope="col">{t('drift.column.field')}</th>
          {SIDES.map((side) => (
            <th key={side} scope="col">
              {t(`drift.column.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={`${field.field} ${field.inbound}`}>
            <th scope="row">
              {isNamedField(field.field) ? t(`drift.field.${field.field}`) : <bdi dir="ltr">{field.field}</bdi>}
              {field.inbound !== '' && (
                <>
                  {' · '}
                  <bdi>{field.inbound}</bdi>
                </>
              )}
            </th>
            {SIDES.map((side) => (
              <td key={side} data-label={t(`drift.column.${side}`)}>
                <bdi>{show(field, side)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
