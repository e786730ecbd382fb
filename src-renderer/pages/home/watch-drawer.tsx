import { Alert, Checkbox, Drawer, Group, Stack, Switch, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WATCH_KINDS, type PanelsChoices, type WatchKind } from '../../../src-main/bridge/panels.ts';
import type { ShownPanel } from './panels/panel-model.ts';
import { TimeField } from './time-field.tsx';

const QUIET = { fromMin: 22 * 60, toMin: 7 * 60 };

interface WatchProps {
  choices: PanelsChoices;
  shortcut: string;
  panels: readonly ShownPanel[];
  onChange: (part: Partial<PanelsChoices>) => void;
  onClose: () => void;
}

/** Which notifications this computer shows for all panels, and when; shortcuts to the page and its search. */
export function WatchDrawer({ choices, shortcut, panels, onChange, onClose }: WatchProps) {
  const { t } = useTranslation('home');
  const { quiet, muted } = choices;
  const others = panels.filter(({ card }) => card.id !== 'local');
  const toggle = (id: string, kind: WatchKind, isOn: boolean): void => {
    const without = (muted[id] ?? []).filter((other) => other !== kind);
    onChange({ muted: { ...muted, [id]: isOn ? without : [...without, kind] } });
  };
  const setQuiet = (part: Partial<typeof QUIET>): void => onChange({ quiet: { ...(quiet ?? QUIET), ...part } });
  return (
    <Drawer opened onClose={onClose} title={t('watch.title')}>
      <Stack>
        <Switch
          label={t('watch.on')}
          description={t('watch.onHint')}
          checked={choices.isWatching}
          onChange={(event) => onChange({ isWatching: event.currentTarget.checked })}
        />
        <Switch
          label={t('watch.quiet')}
          description={t('watch.quietHint')}
          checked={quiet !== null}
          onChange={(event) => onChange({ quiet: event.currentTarget.checked ? QUIET : null })}
        />
        {quiet !== null && (
          <Group>
            <TimeField label={t('watch.from')} value={quiet.fromMin} onChange={(fromMin) => setQuiet({ fromMin })} />
            <TimeField label={t('watch.to')} value={quiet.toMin} onChange={(toMin) => setQuiet({ toMin })} />
          </Group>
        )}
        {others.length === 0 ? (
          <Alert>{t('watch.none')}</Alert>
        ) : (
          <Table.ScrollContainer minWidth={420}>
            <Table>
              <Table.Caption>{t('watch.localHint')}</Table.Caption>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{t('column.name')}</Table.Th>
                  {WATCH_KINDS.map((kind) => (
                    <Table.Th key={kind} scope="col">
                      {t(`watchKind.${kind}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {others.map(({ card: { id }, name }) => (
                  <Table.Tr key={id}>
                    <Table.Th scope="row">
                      <bdi>{name}</bdi>
                    </Table.Th>
                    {WATCH_KINDS.map((kind) => (
                      <Table.Td key={kind}>
                        <Checkbox
                          aria-label={`${name}: ${t(`watchKind.${kind}`)}`}
                          disabled={!choices.isWatching}
                          checked={!(muted[id] ?? []).includes(kind)}
                          onChange={(event) => toggle(id, kind, event.currentTarget.checked)}
                        />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        <Text fw={600}>{t('watch.window')}</Text>
        <Switch
          label={t('watch.firstPage')}
          checked={choices.isFirstPage}
          onChange={(event) => onChange({ isFirstPage: event.currentTarget.checked })}
        />
        <Switch
          label={t('watch.shortcut', { keys: shortcut })}
          description={t('watch.shortcutHint')}
          checked={choices.hasShortcut}
          onChange={(event) => onChange({ hasShortcut: event.currentTarget.checked })}
        />
      </Stack>
    </Drawer>
  );
}
