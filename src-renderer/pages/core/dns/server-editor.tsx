import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { putItem } from '../model/lists.ts';
import { ChoiceField, ListField, NumberField, SwitchField, TextField } from '../parts/fields.tsx';
import { ItemEditor } from '../parts/item-editor.tsx';
import { useGeoNames } from '../parts/use-geo.ts';
import { asServer, fromServer, QUERY_STRATEGIES, SERVERS, serversIn } from './dns-servers.ts';

/** @param which index of the server, or `new` */
export function ServerEditor({ which, onClose }: { which: string; onClose: () => void }) {
  const { t } = useTranslation(['core', 'words']);
  const geo = useGeoNames();
  const servers = serversIn(useDraft(({ draft }) => draft));
  const edit = useDraft((draft) => draft.change);
  const index = which === 'new' ? servers.length : Number(which);
  const stored = servers[index];
  if (stored === undefined && which !== 'new') return null;
  const handleDone = (server: JsonObject): void => {
    edit((before) => putItem(before, SERVERS, index, fromServer(server)));
    onClose();
  };
  return (
    <ItemEditor
      title={stored === undefined ? t('dns.addServer') : t('dns.editServer')}
      item={stored === undefined ? { address: '' } : asServer(stored)}
      check={(server) => (textAt(server['address']).trim() === '' ? t('problem.address') : null)}
      onDone={handleDone}
      onClose={onClose}
    >
      {(root, onEdit) => (
        <>
          <TextField
            root={root}
            path={['address']}
            onEdit={onEdit}
            label={t('words:address')}
            placeholder="https://1.1.1.1/dns-query"
            isFirst
          />
          <ListField root={root} path={['domains']} onEdit={onEdit} label={t('dns.domains')} suggestions={geo.site} />
          <ListField
            root={root}
            // The core knows it by two names.
            path={['expectedIPs' in root ? 'expectedIPs' : 'expectIPs']}
            onEdit={onEdit}
            label={t('dns.expectIPs')}
            suggestions={geo.ip}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberField root={root} path={['port']} onEdit={onEdit} label={t('words:port')} max={65_535} />
            <ChoiceField
              root={root}
              path={['queryStrategy']}
              onEdit={onEdit}
              label={t('dns.queryStrategy')}
              options={QUERY_STRATEGIES}
            />
          </SimpleGrid>
          <SwitchField root={root} path={['skipFallback']} onEdit={onEdit} label={t('dns.skipFallback')} />
        </>
      )}
    </ItemEditor>
  );
}
