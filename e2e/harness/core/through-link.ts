import { parseLink } from '../../../src-server/links/parse/parse-link.ts';
import { startCoreClient } from '../core-client.ts';

/** The core's outbound for a share link. @throws {Error} when the link describes none */
export function outboundOf(link: string): Record<string, unknown> {
  const parsed = parseLink(link);
  if (!('outbound' in parsed)) throw new Error(`${parsed.error}: ${link}`);
  return { ...parsed.outbound };
}

/** How many bytes a real client receives through the link. */
export async function fetchThrough(outbound: Record<string, unknown>, url: string): Promise<number> {
  const core = await startCoreClient(outbound);
  try {
    return await core.fetchBytes(url);
  } finally {
    await core.close();
  }
}

/** The first link of a subscription, unmodified. */
export const firstLinkOf = (body: string): string => Buffer.from(body, 'base64').toString().split('\n')[0] ?? '';
