import { ActionIcon, Button, Group, TagsInput, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json } from '#wire/json';
import { useDraft } from '../model/draft.ts';
import { objectAt, readAt, textsAt, writeAt } from '../../../forms/draft/json.ts';
import { TitledCard } from '../../../ui/layout/titled-card.tsx';

/** Names mapped to fixed addresses, or to another name. */
export function HostTable() {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const [name, setName] = useState('');
  const hosts = objectAt(readAt(template, ['dns', 'hosts']));
  const put = (host: string, value: Json | undefined): void =>
    edit((before) => writeAt(before, ['dns', 'hosts', host], value), `host ${host}`);
  const fresh = name.trim();
  return (
    <TitledCard title={t('dns.hosts')}>
      {Object.keys(hosts).length === 0 && <Text size="sm">{t('dns.noHosts')}</Text>}
      {Object.entries(hosts).map(([host, value]) => (
        <Group key={host} gap="xs" wrap="nowrap" align="flex-end">
          <TagsInput
            label={<bdi>{host}</bdi>}
            value={textsAt(value)}
            onChange={(list) => put(host, list.length === 1 ? list[0]! : list)}
            acceptValueOnBlur
            flex={1}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            size={36}
            aria-label={t('dns.dropHost', { host })}
            onClick={() => put(host, undefined)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (fresh === '' || fresh in hosts) return;
          put(fresh, []);
          setName('');
        }}
      >
        <Group gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            label={t('dns.newHost')}
            placeholder="domain:example.org"
            dir="ltr"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            flex={1}
          />
          <Button type="submit" variant="default" disabled={fresh === '' || fresh in hosts}>
            {t('dns.addHost')}
          </Button>
        </Group>
      </form>
    </TitledCard>
  );
}
