import { createPublicKey } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { NewKey, TRUNK_REQUEST, type NodeCertificate } from '../../../net/trunk/messages.ts';
import type { MasterEnd } from '../../../net/trunk/trunk-ends.ts';
import { nodeHostName, peerOf } from '../../../net/trunk/trunk-tls.ts';
import { isRenewalDue } from '../trust/issue-certificate.ts';
import type { MutualTls } from '../trust/mutual-tls.ts';

const RENEW_WITHIN_MS = 15_000;

/**
 * Renews the certificate that a node has shown on this trunk, if it is due. The node creates a new key and keeps it
 * private; the old certificate stays valid until it has the new one.
 * @returns whether it was renewed
 */
export async function renewIfDue(
  { end, socket, trunkId }: { end: MasterEnd; socket: TLSSocket; trunkId: string },
  mutualTls: Pick<MutualTls, 'trunkIdentity' | 'issueNode'>,
  nowMs: number,
): Promise<boolean> {
  const shown = peerOf(socket)?.certificate ?? null;
  if (shown === null || !isRenewalDue(shown, nowMs)) return false;
  const signal = AbortSignal.timeout(RENEW_WITHIN_MS);
  const { publicKey } = NewKey.parse(await end.request(TRUNK_REQUEST.renew, {}, signal));
  const { authority } = await mutualTls.trunkIdentity();
  const certificate = await mutualTls.issueNode(createPublicKey(publicKey), nodeHostName(trunkId));
  const given: NodeCertificate = { trunkId, masterName: '', authority, certificate };
  await end.request(TRUNK_REQUEST.certificate, given, signal);
  return true;
}
