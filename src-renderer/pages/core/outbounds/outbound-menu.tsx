import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { resetOutboundsTraffic } from '#contract/coreSettings';
import type { JsonObject } from '#wire/json';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { useDraft } from '../model/draft.ts';
import { freeTag, insertItem, moveItem, OUTBOUNDS, tagsAt } from '../model/lists.ts';
import { isTestable } from './outbound-kinds.ts';

interface OutboundMenuProps {
  outbound: JsonObject;
  index: number;
  /** Of the template, not of a subscription. */
  isOwn: boolean;
  onTest: () => void;
  onOpen: () => void;
  onDelete: () => void;
}

/** The actions on one outbound. */
export function OutboundMenu({ outbound, index, isOwn, onTest, onOpen, onDelete }: OutboundMenuProps) {
  const { t } = useTranslation(['core', 'words']);
  const edit = useDraft((draft) => draft.change);
  const reset = useChange(resetOutboundsTraffic, [keys.outbounds]);
  const tag = textAt(outbound['tag']);
  const handleCopy = (): void =>
    edit((before) => {
      const copyTag = freeTag(tag, tagsAt(before, OUTBOUNDS));
      return insertItem(before, OUTBOUNDS, index + 1, { ...outbound, tag: copyTag });
    });
  return (
    <RowMenu label={t('words:actionsFor', { name: tag })}>
      <Menu.Item disabled={!isTestable(outbound)} onClick={onTest}>
        {t('test.one')}
      </Menu.Item>
      {isOwn && (
        <>
          <Menu.Item onClick={onOpen}>{t('words:edit')}</Menu.Item>
          <Menu.Item onClick={handleCopy}>{t('copy')}</Menu.Item>
          <Menu.Item disabled={index === 0} onClick={() => edit((before) => moveItem(before, OUTBOUNDS, index, 0))}>
            {t('outbounds.makeDefault')}
          </Menu.Item>
        </>
      )}
      <Menu.Item onClick={() => reset.mutate({ body: { tag } }, { onError: announceFailure })}>
        {t('words:resetTraffic')}
      </Menu.Item>
      {isOwn && (
        <Menu.Item color="red" onClick={onDelete}>
          {t('words:delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
