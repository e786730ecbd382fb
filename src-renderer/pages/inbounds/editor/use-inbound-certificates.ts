import { checkInboundCertificates } from '#contract/inbounds';
import { useCall } from '../../../api/transport-context.tsx';
import { useCertificateCheck } from '../../../ui/notices/use-certificate-check.ts';
import type { Draft } from '../model/draft.ts';
import { objectAt, readAt, textAt } from '../../../forms/draft/json.ts';

/** Asks about the certificates of an inbound before it is saved. */
export function useInboundCertificates() {
  const call = useCall();
  return useCertificateCheck((subject) => {
    const body = JSON.parse(subject) as Parameters<typeof call<typeof checkInboundCertificates>>[1]['body'];
    return call(checkInboundCertificates, { body });
  });
}

/** The inputs of the check, as text: other edits do not check again. Empty for a draft without certificates. */
export function certificatesText(draft: Draft): string {
  const security = textAt(draft, 'streamSettings.security');
  const { serverName, certificates } = objectAt(draft, 'streamSettings.tlsSettings');
  if (security !== 'tls' || !Array.isArray(certificates) || certificates.length === 0) return '';
  return JSON.stringify({
    protocol: draft['protocol'],
    nodeId: readAt(draft, 'nodeId') ?? null,
    serverId: readAt(draft, 'serverId') ?? null,
    streamSettings: { security, tlsSettings: { serverName, certificates } },
  });
}
