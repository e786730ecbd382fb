import { join } from 'node:path';
import { openChannel } from '../../core/api/channel.ts';
import { HandlerService } from '../../core/api/generated/app/proxyman/command/command_pb.ts';
import { parseListenText } from '../../core/api/endpoint.ts';
import { readPidFile } from '../../core/process/pid-file.ts';

/** Asks the core of a data folder who may use an inbound. @throws when the core has no such inbound */
export async function listUsers(dataDir: string, tag: string): Promise<{ email: string; account: string }[]> {
  const endpoint = parseListenText(readPidFile(join(dataDir, 'core.pid.json'))?.apiListen ?? '');
  if (!endpoint) throw new Error('no core runs there');
  const channel = openChannel(endpoint);
  try {
    const { users } = await channel.call(HandlerService.method.getInboundUsers, { tag }, 5_000);
    return users.map(({ email, account }) => ({ email, account: Buffer.from(account?.value ?? []).toString('hex') }));
  } finally {
    channel.close();
  }
}
