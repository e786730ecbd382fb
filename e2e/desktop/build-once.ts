import { electronBinary } from '../../src-server/cli/electron/electron-binary.ts';
import { buildApplication } from './application/electron.ts';

/** Before the first journey in the application: its files build it no more, each for itself. */
export default async function buildOnce(): Promise<void> {
  const binary = electronBinary();
  if (binary === null || process.env['DESKTOP_BUILT'] !== undefined) return;
  process.env['DESKTOP_BUILT'] = JSON.stringify(await buildApplication(binary));
}
