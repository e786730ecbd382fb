import { createServer } from 'node:net';
import type { Settings } from '../../domains/settings/contract.ts';
import { ADMIN_COMMAND } from '../resources.ts';
import { fine, shellWord, todo, type Finding } from './finding.ts';

/** Whether both servers can listen where the settings say, or already do. */
export async function checkPorts(dataDir: string, settings: Settings, isRunning: boolean): Promise<Finding[]> {
  const { webListen, webPort, subEnable, subListen, subPort } = settings;
  const findings = [await checkPort(dataDir, 'webPort', webListen, webPort, isRunning)];
  if (subEnable) findings.push(await checkPort(dataDir, 'subPort', subListen, subPort, isRunning));
  return findings;
}

async function checkPort(
  dataDir: string,
  key: 'webPort' | 'subPort',
  listen: string,
  port: number,
  isRunning: boolean,
): Promise<Finding> {
  const what = key === 'webPort' ? 'panel' : 'subscription server';
  const code = await tryListen(listen, port);
  const change = `${ADMIN_COMMAND} --data-dir ${shellWord(dataDir)} settings set ${key} N`;
  if (code === null) return fine(`Port ${port} of the ${what} is free.`);
  if (code === 'EADDRINUSE')
    return isRunning
      ? fine(`Port ${port} of the ${what} is held, and the panel is running.`)
      : todo(`Port ${port} of the ${what} is used by another program. Stop that, or choose another port: ${change}`);
  if (code === 'EACCES')
    return todo(`Port ${port} of the ${what} may not be opened by this user. Choose one above 1023: ${change}`);
  if (code === 'EADDRNOTAVAIL') {
    const listenKey = key === 'webPort' ? 'webListen' : 'subListen';
    return todo(
      `This machine does not have the address ${listen}. Correct ${listenKey}, or empty it: settings set ${listenKey}=`,
    );
  }
  return todo(`Port ${port} of the ${what} cannot be opened: ${code}`);
}

/** @returns null when the port could be opened, else the system's error code. */
function tryListen(listen: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, exclusive: true, ...(listen === '' ? {} : { host: listen }) }, () =>
      server.close(() => resolve(null)),
    );
  });
}
