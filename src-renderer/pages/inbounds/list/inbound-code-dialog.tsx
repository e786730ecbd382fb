import { Modal, Select, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listClientsPaged } from '#contract/clients/list';
import type { CountedInbound } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { failureOf, useRead } from '../../../api/use-read.ts';
import { ClientCodes } from '../../clients/row/code-dialog.tsx';
import { nameOf } from './inbound-kind.ts';

const OFFERED = 50;
const SEARCH_AFTER_MS = 250;

/** The code of one of an inbound's clients; the server searches among them. */
export function InboundCodeDialog({ inbound, onClose }: { inbound: CountedInbound; onClose: () => void }) {
  const { t } = useTranslation('rowVerbs');
  const [chosen, choose] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, SEARCH_AFTER_MS);
  const page = useRead(
    listClientsPaged,
    { query: { inbound: String(inbound.id), search, pageSize: String(OFFERED), sort: 'email' } },
    [...keys.clients, 'of', inbound.id, 'named', search],
    { placeholderData: keepPreviousData },
  );
  const emails = page.data?.items.map(({ email }) => email) ?? [];
  const email = chosen ?? emails[0] ?? null;
  return (
    <Modal opened onClose={onClose} title={<bdi>{nameOf(inbound)}</bdi>}>
      <Stack>
        <Select
          label={t('code.client')}
          data={[...new Set([...(chosen === null ? [] : [chosen]), ...emails])]}
          value={email}
          onChange={choose}
          searchable
          searchValue={text === '' && email !== null ? email : text}
          onSearchChange={(typed) => setText(typed === email ? '' : typed)}
          // The server has searched already, in comments too.
          filter={({ options }) => options}
          nothingFoundMessage={t('code.noClient')}
          error={failureOf(page)}
          allowDeselect={false}
          // Closed at first: the list would cover the code.
          openOnFocus={false}
          data-autofocus
        />
        {email !== null && <ClientCodes key={email} email={email} preferred={nameOf(inbound)} />}
      </Stack>
    </Modal>
  );
}
