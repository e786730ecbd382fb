import { Alert, Button, List, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseLink } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { useCall } from '../../../api/transport-context.tsx';
import { announceDone } from '../../../ui/notices/announce.ts';
import { DialogFooter } from '../../../ui/layout/dialog-footer.tsx';
import { useLeaveGuard } from '../../../forms/use-leave-guard.ts';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { freeTag, insertItem, itemsAt, OUTBOUNDS, tagsAt } from '../model/lists.ts';
import { Failure } from '../../../ui/notices/failure.tsx';
import { addressOf } from './outbound-kinds.ts';

/** Imports outbounds from share links; the server parses them, as everywhere else. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('core');
  const call = useCall();
  const edit = useDraft((draft) => draft.change);
  const [text, setText] = useState('');
  const read = useMutation({ mutationFn: () => call(parseLink, { body: { link: text } }) });
  const found = (read.data?.outbounds ?? []) as JsonObject[];
  const refused = read.data?.refused ?? [];
  const handleClose = useLeaveGuard(text.trim() !== '', onClose);
  const handleAdd = (): void => {
    edit((template) => found.reduce(added, template));
    announceDone(t('import.done', { count: found.length }));
    onClose();
  };
  return (
    <Modal opened onClose={handleClose} size="lg" title={t('outbounds.import')}>
      <Stack>
        <Textarea
          label={t('import.links')}
          description={t('import.hint')}
          dir="ltr"
          rows={6}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            read.reset();
          }}
          data-autofocus
        />
        <Failure error={read.error} />
        {found.length > 0 && (
          <List size="sm">
            {found.map((outbound, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list is replaced as a whole
              <List.Item key={index}>
                <bdi>{textAt(outbound['tag']) || t('unnamed')}</bdi> · <bdi>{textAt(outbound['protocol'])}</bdi> ·{' '}
                <bdi>{addressOf(outbound)}</bdi>
              </List.Item>
            ))}
          </List>
        )}
        {refused.length > 0 && (
          <Alert color="yellow" title={t('import.refused', { count: refused.length })}>
            {refused.map(({ link, error }) => (
              <Text key={`${link} ${error}`} size="sm">
                <bdi>{error}</bdi>: <bdi>{link}</bdi>
              </Text>
            ))}
          </Alert>
        )}
        <DialogFooter onCancel={handleClose}>
          {found.length === 0 ? (
            <Button loading={read.isPending} disabled={text.trim() === ''} onClick={() => read.mutate()}>
              {t('import.read')}
            </Button>
          ) : (
            <Button onClick={handleAdd}>{t('import.add', { count: found.length })}</Button>
          )}
        </DialogFooter>
      </Stack>
    </Modal>
  );
}

function added(template: JsonObject, outbound: JsonObject): JsonObject {
  const tag = freeTag(textAt(outbound['tag']), tagsAt(template, OUTBOUNDS));
  return insertItem(template, OUTBOUNDS, itemsAt(template, OUTBOUNDS).length, { ...outbound, tag });
}
