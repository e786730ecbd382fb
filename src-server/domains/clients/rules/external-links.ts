import { DomainError } from '../../../contract/domain-error.ts';
import { parseLink } from '../../../links/parse/parse-link.ts';
import { vmessMembers } from '../../../links/parse/parse-vmess.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import type { ExternalLink, ExternalLinkInput } from '../contract.ts';
import { clientsByKeys } from '../storage/repository-read.ts';
import { replaceExternalLinks } from '../storage/repository-write.ts';
import { UserChanges } from '../storage/user-changes.ts';

export function createSetExternalLinks(run: RunChange, clock: () => number) {
  /**
   * Replaces the additional links of a client's subscription, in the given order. Blank rows are dropped; one bad row
   * refuses the whole call.
   * @throws {DomainError} `client.emailRequired`, `client.notFound`, `client.linkKindUnknown`, `client.linkInvalid`,
   *   `client.linkNotHttp`
   */
  return async (email: string, given: readonly ExternalLinkInput[], requestId: RequestId): Promise<null> => {
    if (email.trim() === '') throw new DomainError('client.emailRequired');
    const links = given.filter(({ value }) => value !== '').map(checkLink);
    await run(requestId, async (trx) => {
      const [client] = await clientsByKeys(trx, [foldText(email)]);
      if (client === undefined) throw new DomainError('client.notFound');
      await replaceExternalLinks(trx, client.id, links, clock());
      const changes = new UserChanges();
      changes.touch([client.id]);
      return { changes, result: null };
    });
    return null;
  };
}

function checkLink({ kind, value, remark }: ExternalLinkInput): ExternalLink {
  if (kind === 'subscription') {
    const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
    if (url === null || url.hostname === '') throw new DomainError('client.linkNotHttp', { value });
    return { kind, value, remark };
  }
  if (kind !== '' && kind !== 'link') throw new DomainError('client.linkKindUnknown', { kind });
  if (!isShareLink(value)) throw new DomainError('client.linkInvalid', { value });
  return { kind: 'link', value, remark };
}

/** Whether it leads to a server; it becomes one line of the subscription. */
function isShareLink(text: string): boolean {
  if (/\p{Cc}/u.test(text) || 'error' in parseLink(text)) return false;
  const vmess = /^vmess:/i.test(text) ? vmessMembers(text.slice('vmess://'.length)) : null;
  return vmess === null || Boolean(vmess['add']);
}
