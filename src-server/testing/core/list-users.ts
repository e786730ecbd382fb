import { join } from 'node:path';
import { openChannel } from '../../core/api/channel.ts';
import { HandlerService } from '../../core/api/generated/app/proxyman/command/command_pb.ts';
import { parseListenText } from '../../core/api/endpoint.ts';
import { readPidFile } from '../../core/process/pid-file.ts';

/** Asks the core of a data folder who may use an inbound; with null: which inbounds there are (tag in `email`). */
export async function listUsers(dataDir: string, tag: string | null): Promise<{ email: string; account: string }[]> {
  const endpoint = parseListenText(readPidFile(join(dataDir, 'core.pid.json'))?.apiListen ?? '');
  if (!endpoint) throw new Error('no core runs there');
  const channel = openChannel(endpoint);
  try {
    if (tag === null) {
      const { inbounds } = await channel.call(HandlerService.method.listInbounds, { isOnlyTags: true }, 5_000);
      return inbounds.map((inbound) => ({ email: inbound.tag, account: '' }));
    }
    const { users } = await channel.call(HandlerService.method.getInboundUsers, { tag }, 5_000);
    return users.map(({ email, account }) => ({ email, account: Buffer.from(account?.value ?? []).toString('hex') }));
  } finally {
    channel.close();
  }
}
