import { parseLink } from '../../../src-server/links/parse/parse-link.ts';
import { startCoreClient } from '../core-client.ts';

/** The outbound of a core that a share link describes. @throws {Error} when it describes none */
export function outboundOf(link: string): Record<string, unknown> {
  const parsed = parseLink(link);
  if (!('outbound' in parsed)) throw new Error(`${parsed.error}: ${link}`);
  return { ...parsed.outbound };
}

/** How many bytes a real client gets from there. */
export async function fetchThrough(outbound: Record<string, unknown>, url: string): Promise<number> {
  const core = await startCoreClient(outbound);
  try {
    return await core.fetchBytes(url);
  } finally {
    await core.close();
  }
}

/** The first link of a subscription as it is sent. */
export const firstLinkOf = (body: string): string => Buffer.from(body, 'base64').toString().split('\n')[0] ?? '';
