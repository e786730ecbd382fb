import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from '../source.ts';

const binary = resolve(process.env['CORE_BINARY'] ?? 'resources/core/xray');
if (!existsSync(binary)) throw new Error('The core binary is missing: set CORE_BINARY or put it into resources/core.');

export interface CoreRun {
  /** Exit code; 0 also when it was still running and was asked to stop, -1 when it did not exit by itself. */
  code: number;
  /** Last line of the output, or the panic. */
  text: string;
}

/** The real core in a folder of its own, with a certificate and without any geo file. */
export async function createCoreBinary() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-core-'));
  const assets = join(folder, 'assets');
  await mkdir(assets);
  const env = { XRAY_LOCATION_ASSET: assets, XRAY_LOCATION_CERT: folder };

  function run(args: string[], timeoutMs: number): Promise<CoreRun> {
    return new Promise((done) => {
      execFile(binary, args, { env, timeout: timeoutMs }, (error, stdout, stderr) => {
        const panic = /^panic: .*$/m.exec(stderr)?.[0];
        const text = panic ?? stdout.trim().split('\n').at(-1) ?? '';
        const code = typeof error?.code === 'number' ? error.code : -1;
        done({ code: error === null ? 0 : code, text });
      });
    });
  }

  async function withFile(config: JsonObject, use: (path: string) => Promise<CoreRun>): Promise<CoreRun> {
    const path = join(folder, `${crypto.randomUUID()}.json`);
    await writeFile(path, JSON.stringify(config));
    const result = await use(path);
    await rm(path);
    return result;
  }

  await run(['tls', 'cert', '--domain=test.local', `--file=${join(folder, 'made')}`, '--json=false'], 10_000);
  await rename(join(folder, 'made.crt'), join(folder, 'cert.pem'));
  await rename(join(folder, 'made.key'), join(folder, 'key.pem'));

  return {
    folder,
    /** Reads the config and builds every handler, opens nothing. Code 0 = fine. */
    test: (config: JsonObject) => withFile(config, (path) => run(['run', '-test', '-c', path], 15_000)),
    /** Really starts and is asked to stop after the time: code 0 = it was up until then. */
    start: (config: JsonObject, forMs: number) => withFile(config, (path) => run(['run', '-c', path], forMs)),
    close: () => rm(folder, { recursive: true }),
  };
}
