import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '#wire/json';
import { useNames } from '../draft/use-core-settings.ts';
import { selectedTags, STRATEGIES, withObservers } from '../model/balancers.ts';
import { useDraft } from '../model/draft.ts';
import { textAt, textsAt } from '../../../forms/draft/json.ts';
import { BALANCERS, freeTag, itemsAt, putItem, tagsAt } from '../model/lists.ts';
import { rewriteBalancer, rulesToBalancer } from '../model/references.ts';
import { ChoiceField, ListField, TextField } from '../parts/fields.tsx';
import { ItemEditor } from '../parts/item-editor.tsx';
import { RenameNote } from '../parts/rename-note.tsx';

/** @param which index of the balancer, or `new` */
export function BalancerEditor({ which, onClose }: { which: string; onClose: () => void }) {
  const { t } = useTranslation('core');
  const template = useDraft(({ draft }) => draft);
  const edit = useDraft((draft) => draft.change);
  const { outbounds } = useNames();
  const balancers = itemsAt(template, BALANCERS);
  const index = which === 'new' ? balancers.length : Number(which);
  const stored = balancers[index];
  if (stored === undefined && which !== 'new') return null;
  const item = stored ?? {
    tag: freeTag('balancer', tagsAt(template, BALANCERS)),
    selector: [],
    strategy: { type: 'random' },
  };
  const oldTag = textAt(item['tag']);
  const check = (next: JsonObject): string | null => {
    const tag = textAt(next['tag']).trim();
    if (tag === '') return t('problem.tag');
    if (balancers.some((other, at) => at !== index && other['tag'] === tag)) return t('problem.taken', { tag });
    return textsAt(next['selector']).length === 0 ? t('problem.selector') : null;
  };
  const handleDone = (next: JsonObject): void => {
    edit((before) => {
      const renamed = stored === undefined ? before : rewriteBalancer(before, oldTag, textAt(next['tag']));
      return withObservers(putItem(renamed, BALANCERS, index, next));
    });
    onClose();
  };
  return (
    <ItemEditor
      title={stored === undefined ? t('balancers.add') : t('balancers.edit', { tag: oldTag })}
      item={item}
      check={check}
      onDone={handleDone}
      onClose={onClose}
    >
      {(root, onEdit) => (
        <>
          <TextField root={root} path={['tag']} onEdit={onEdit} label={t('field.tag')} isFirst />
          {stored !== undefined && (
            <RenameNote from={oldTag} to={textAt(root['tag'])} references={rulesToBalancer(template, oldTag)} />
          )}
          <ChoiceField
            root={root}
            path={['strategy', 'type']}
            onEdit={onEdit}
            label={t('field.strategy')}
            description={t('balancers.strategyHint')}
            options={STRATEGIES}
            placeholder="random"
          />
          <ListField
            root={root}
            path={['selector']}
            onEdit={onEdit}
            label={t('field.selector')}
            description={t('balancers.selectorHint')}
            suggestions={outbounds}
          />
          <Text size="sm" role="status">
            {t('balancers.chooses')}{' '}
            <bdi>{selectedTags(textsAt(root['selector']), outbounds).join(', ') || t('balancers.nothing')}</bdi>
          </Text>
          <ChoiceField
            root={root}
            path={['fallbackTag']}
            onEdit={onEdit}
            label={t('field.fallbackTag')}
            description={t('balancers.fallbackHint')}
            options={outbounds}
          />
        </>
      )}
    </ItemEditor>
  );
}
