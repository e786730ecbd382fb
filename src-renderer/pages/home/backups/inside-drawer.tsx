import { Button, Checkbox, Drawer, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_SEARCH_LENGTH } from '../../../../src-main/bridge/panels.ts';
import type { BackupContents, BackupEntry } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { useFormat } from '../../../i18n/format.ts';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { Hint } from '../../../ui/layout/hint.tsx';
import type { NamedPanel } from '../panel-names.ts';
import { PartsPlan } from './parts-plan.tsx';

interface InsideProps {
  backup: BackupEntry;
  panels: readonly NamedPanel[];
  onClose: () => void;
}

const toggled = (names: readonly string[], name: string): string[] =>
  names.includes(name) ? names.filter((other) => other !== name) : [...names, name];

/** The contents of a backup; restores single inbounds or clients: selected first, then planned, then done. */
export function InsideDrawer({ backup, panels, onClose }: InsideProps) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const { panelId, takenAtMs } = backup;
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const [inbounds, setInbounds] = useState<string[]>([]);
  const [clients, setClients] = useState<string[]>([]);
  const known = panels.some(({ id }) => id === panelId);
  const [toId, setTo] = useState<string | null>(known ? panelId : (panels[0]?.id ?? null));
  const [isPlanned, setPlanned] = useState(false);
  const contents = useQuery({
    queryKey: ['panels', 'inside', panelId, takenAtMs, settled],
    queryFn: () => requireDesktop().maintenance.contents({ panelId, takenAtMs, text: settled }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const count = inbounds.length + clients.length;
  return (
    <Drawer opened onClose={onClose} title={t('inside.title', { name: backup.name, when: format.dateTime(takenAtMs) })}>
      {isPlanned && toId !== null ? (
        <PartsPlan
          request={{ panelId, takenAtMs, toId, inbounds, clients }}
          onBack={() => setPlanned(false)}
          onDone={onClose}
        />
      ) : (
        <Stack>
          <TextInput
            label={t('inside.find')}
            value={text}
            maxLength={MAX_SEARCH_LENGTH}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
          <QueryView query={contents}>
            {(found) => (
              <Stack>
                <ChosenInbounds
                  found={found}
                  chosen={inbounds}
                  onToggle={(tag) => setInbounds(toggled(inbounds, tag))}
                />
                <ChosenClients
                  found={found}
                  chosen={clients}
                  onToggle={(email) => setClients(toggled(clients, email))}
                />
              </Stack>
            )}
          </QueryView>
          <Group align="end" justify="space-between">
            <Select
              label={t('inside.to')}
              allowDeselect={false}
              value={toId}
              data={panels.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setTo}
            />
            <Button disabled={count === 0 || toId === null} onClick={() => setPlanned(true)}>
              {t('inside.plan', { count })}
            </Button>
          </Group>
        </Stack>
      )}
    </Drawer>
  );
}

interface ChosenProps {
  found: BackupContents;
  chosen: readonly string[];
  onToggle: (name: string) => void;
}

function ChosenInbounds({ found, chosen, onToggle }: ChosenProps) {
  const { t } = useTranslation('backups');
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('inside.inbounds')}
      </Title>
      {found.inbounds.map(({ tag, name, protocol, port, clientCount }) => (
        <Checkbox
          key={tag}
          checked={chosen.includes(tag)}
          onChange={() => onToggle(tag)}
          label={<bdi>{name}</bdi>}
          description={t('inside.inbound', { protocol, port: String(port), count: clientCount })}
        />
      ))}
      {found.inbounds.length === 0 && <Text c="dimmed">{t('inside.nothing')}</Text>}
    </Stack>
  );
}

function ChosenClients({ found, chosen, onToggle }: ChosenProps) {
  const { t } = useTranslation('backups');
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('inside.clients')}
      </Title>
      {found.clients.map(({ email, comment, inbounds }) => (
        <Checkbox
          key={email}
          checked={chosen.includes(email)}
          onChange={() => onToggle(email)}
          label={<bdi>{email}</bdi>}
          description={<bdi>{[comment, inbounds.join(', ')].filter((part) => part !== '').join(' · ')}</bdi>}
        />
      ))}
      {found.foundClients > found.clients.length && (
        <Hint>{t('inside.more', { count: found.foundClients - found.clients.length })}</Hint>
      )}
      {found.clients.length === 0 && <Text c="dimmed">{t('inside.nothing')}</Text>}
    </Stack>
  );
}
