import { electronBinary } from '../../src-server/cli/electron/electron-binary.ts';
import { buildApplication } from './application/electron.ts';

/** Builds the application before the first journey in it, so that the test files need not. */
export default async function buildOnce(): Promise<void> {
  const binary = electronBinary();
  if (binary === null || process.env['DESKTOP_BUILT'] !== undefined) return;
  process.env['DESKTOP_BUILT'] = JSON.stringify(await buildApplication(binary));
}
