import { Group, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Change } from '../model/changes.ts';
import { placeName } from './place.ts';
import { Chip } from '../../../ui/palette/chip.tsx';
import type { Tone } from '../../../ui/palette/tones.ts';

const TONES = { added: 'green', removed: 'red', changed: 'blue', moved: 'gray' } as const satisfies Record<
  string,
  Tone
>;

interface ChangeListProps {
  changes: readonly Change[];
  /** Entries beyond those shown. */
  children?: ReactNode;
}

/** The differences between two templates, in the operator's terms. */
export function ChangeList({ changes, children }: ChangeListProps) {
  const { t } = useTranslation('core');
  return (
    <List size="sm" listStyleType="none">
      {changes.map(({ where, name, kind }) => (
        <List.Item key={`${where} ${name} ${kind}`}>
          <Group gap="xs" wrap="nowrap">
            <Chip tone={TONES[kind]}>{t(`change.${kind}`)}</Chip>
            <span>
              <Subject where={where} name={name} />
            </span>
          </Group>
        </List.Item>
      ))}
      {children}
    </List>
  );
}

/** Rules have no names, only numbers. */
function Subject({ where, name }: Pick<Change, 'where' | 'name'>) {
  const { t } = useTranslation('core');
  const place = placeName(where);
  if (place === 'rules' && name !== '') return t('at.rule', { number: Number(name) });
  return (
    <>
      {place === 'template' ? <bdi>{where}</bdi> : t(`place.${place}`)}
      {name !== '' && (
        <>
          : <bdi>{name}</bdi>
        </>
      )}
    </>
  );
}
