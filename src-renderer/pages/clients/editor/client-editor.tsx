import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getClient } from '#contract/clients';
import { useCall } from '../../../api/transport-context.tsx';
import { QueryView } from '../../../ui/query-view/query-view.tsx';
import { ClientEditorForm } from './client-editor-form.tsx';
import { useInboundOptions } from '../use-inbound-options.ts';

interface ClientEditorProps {
  email: string;
  /** The inbound that a new client is for; 0 = not known. */
  preferredInbound?: number;
  onClose: () => void;
}

/** Adds a client (`email` empty) or edits one, always from the row as it is stored now. */
export function ClientEditor({ email, preferredInbound = 0, onClose }: ClientEditorProps) {
  const { t } = useTranslation('shell');
  const call = useCall();
  const inbounds = useInboundOptions();
  const start = useQuery({
    queryKey: ['editor', email],
    queryFn: ({ signal }) => (email === '' ? null : call(getClient, { params: { email } }, signal)),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (start.data !== undefined && inbounds.data !== undefined)
    return (
      <ClientEditorForm
        stored={start.data}
        options={inbounds.data}
        preferredInbound={preferredInbound}
        onClose={onClose}
      />
    );
  return (
    <Modal opened onClose={onClose} title={t('nav.clients')}>
      <QueryView query={start}>{() => null}</QueryView>
      <QueryView query={inbounds}>{() => null}</QueryView>
    </Modal>
  );
}
