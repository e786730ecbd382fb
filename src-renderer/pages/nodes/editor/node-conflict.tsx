import { useTranslation } from 'react-i18next';
import type { Node } from '#contract/nodes';
import { FormConflict } from '../../../forms/conflict/form-conflict.tsx';
import type { FormConflictState } from '../../../forms/conflict/use-form-conflict.ts';
import type { NodeForm } from './node-form.ts';

/** What another admin changed in the node, in the words of its fields. */
export function NodeConflict({ conflict }: { conflict: FormConflictState<Node, NodeForm> }) {
  const { t } = useTranslation(['nodes', 'words']);
  return <FormConflict title={t('conflict.title')} conflict={conflict} labelOf={labelOf} wordsOf={wordsOf} />;

  function labelOf(name: keyof NodeForm): string {
    if (name === 'name' || name === 'address' || name === 'port' || name === 'apiToken') return t(`words:${name}`);
    if (name === 'tlsVerifyMode') return t('fact.trust');
    return name === 'remoteEdits' ? t('drift.edits.label') : t(`field.${name}`);
  }
  function wordsOf(name: keyof NodeForm, theirs: NodeForm): string | undefined {
    if (name === 'tlsVerifyMode') return t(`tls.${theirs.tlsVerifyMode}`);
    if (name === 'inboundSyncMode') return t(`sync.${theirs.inboundSyncMode}`);
    if (name === 'remoteEdits') return t(`drift.edits.${theirs.remoteEdits}`);
    return name === 'outboundTag' && theirs.outboundTag === '' ? t('direct') : undefined;
  }
}
