import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { InboundOption } from '#contract/inbounds';
import { keys } from '../../../api/keys.ts';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { HostEditorForm } from './host-editor-form.tsx';
import { NEW_HOST, toForm } from './host-form.ts';
import { readHost } from './read-host.ts';

interface HostEditorProps {
  /** `5` = a host, `group:abc` = a group, `new:7` = one for an inbound, `many` = several at once. */
  what: string;
  inbounds: readonly InboundOption[];
  onClose: () => void;
}

/** Loads the host to edit from the server first: the form replaces the whole row. */
export function HostEditor({ what, inbounds, onClose }: HostEditorProps) {
  const { t } = useTranslation('hosts');
  const call = useCall();
  const [kind = '', argument = ''] = what.split(':');
  const isGroup = kind === 'group' || kind === 'many';
  const isNew = kind === 'new' || kind === 'many';
  const stored = useQuery({
    queryKey: [...keys.hosts, 'edit', what],
    queryFn: ({ signal }) => readHost(call, what, signal),
    gcTime: 0,
    staleTime: Infinity,
  });
  const fallback = inbounds.length === 1 ? [String(inbounds[0]!.id)] : [];
  const title = isNew ? t(isGroup ? 'addMany' : 'add') : t(isGroup ? 'editGroup' : 'edit');
  // The form renders its own drawer, since only it knows whether closing would lose something.
  if (stored.data === undefined)
    return (
      <Drawer opened onClose={onClose} size="xl" title={title}>
        <QueryView query={stored}>{() => null}</QueryView>
      </Drawer>
    );
  const row = stored.data;
  return (
    <HostEditorForm
      title={title}
      stored={row}
      readAgain={async () => (await stored.refetch()).data}
      isGroup={isGroup}
      initial={row === null ? { ...NEW_HOST, inboundIds: argument === '' ? fallback : [argument] } : toForm(row)}
      inbounds={inbounds}
      onClose={onClose}
    />
  );
}
