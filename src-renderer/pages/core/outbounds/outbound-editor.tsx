import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { OUTBOUND_SCHEMA } from '../core-schema.ts';
import { useDraft } from '../model/draft.ts';
import { textAt } from '../../../forms/draft/json.ts';
import { freeTag, itemsAt, OUTBOUNDS, putItem, tagsAt } from '../model/lists.ts';
import { exactReferencesTo, renameReferences } from '../model/references.ts';
import { ItemEditor } from '../parts/item-editor.tsx';
import { RenameNote } from '../parts/rename-note.tsx';
import { OutboundForm } from './outbound-form.tsx';
import { newOutbound } from './outbound-kinds.ts';

/** @param which index in the template, or `new` */
export function OutboundEditor({ which, onClose }: { which: string; onClose: () => void }) {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const outbounds = itemsAt(template, OUTBOUNDS);
  const index = which === 'new' ? outbounds.length : Number(which);
  const stored = outbounds[index];
  if (stored === undefined && which !== 'new') return null;
  const item = stored ?? newOutbound(freeTag('', tagsAt(template, OUTBOUNDS)));
  const oldTag = textAt(item['tag']);
  const check = (next: JsonObject): string | null => {
    const tag = textAt(next['tag']).trim();
    if (tag === '') return t('problem.tag');
    const isTaken = outbounds.some((other, at) => at !== index && other['tag'] === tag);
    return isTaken ? t('problem.taken', { tag }) : null;
  };
  const handleDone = (next: JsonObject): void => {
    edit((before) => {
      const renamed =
        stored === undefined || oldTag === '' ? before : renameReferences(before, oldTag, textAt(next['tag']));
      return putItem(renamed, OUTBOUNDS, index, next);
    });
    onClose();
  };
  return (
    <ItemEditor
      title={stored === undefined ? t('outbounds.add') : t('outbounds.edit', { tag: oldTag })}
      item={item}
      schema={OUTBOUND_SCHEMA}
      check={check}
      onDone={handleDone}
      onClose={onClose}
    >
      {(outbound, onEdit) => (
        <>
          <OutboundForm outbound={outbound} onEdit={onEdit} />
          {stored !== undefined && (
            <RenameNote from={oldTag} to={textAt(outbound['tag'])} references={exactReferencesTo(template, oldTag)} />
          )}
        </>
      )}
    </ItemEditor>
  );
}
