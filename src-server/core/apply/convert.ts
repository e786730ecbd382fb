import { fromBinary } from '@bufbuild/protobuf';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TypedMessage } from '../api/generated/common/serial/typed_message_pb.ts';
import type { InboundHandlerConfig, OutboundHandlerConfig } from '../api/generated/core/config_pb.ts';
import { ConfigSchema } from '../api/generated/core/config_pb.ts';
import type { JsonObject } from '../config/source.ts';
import { requireVerdict, type RunCore } from '../process/config-check.ts';
import { writeConfigFile } from '../process/config-file.ts';
import { reasonOf } from '../process/output/core-text.ts';

const ROUTER = 'xray.app.router.Config';

/** Messages of a config fragment, in its order, to be forwarded unchanged. */
export interface Compiled {
  inbounds: InboundHandlerConfig[];
  outbounds: OutboundHandlerConfig[];
  /** Undefined when the fragment has no routing. */
  router: TypedMessage | undefined;
}

/** The installed core refused to compile a fragment; the message holds its text. */
export class CompileError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'CompileError';
  }
}

export type Compile = (fragment: JsonObject) => Promise<Compiled>;

/**
 * Compiles JSON with the installed core's own loader (`xray convert pb`), the only one that fits its version. It checks
 * less than a config test does. @throws {CompileError} @throws {DomainError} `core.noVerdict`
 */
export function createCompiler(run: RunCore, folder: string): Compile {
  return async (fragment) => {
    const base = join(folder, `convert-${randomUUID()}`);
    const [input, output] = [`${base}.json`, `${base}.pb`];
    try {
      await writeConfigFile(input, fragment);
      const result = await run(['convert', 'pb', '-o', output, input], 30_000);
      requireVerdict(result);
      if (result.exitCode !== 0)
        throw new CompileError(reasonOf(result.stderr || result.stdout) || 'the core did not compile the config');
      const config = fromBinary(ConfigSchema, await readFile(output));
      return {
        inbounds: config.inbound,
        outbounds: config.outbound,
        router: config.app.find(({ type }) => type === ROUTER),
      };
    } finally {
      await Promise.all([rm(input, { force: true }), rm(output, { force: true })]);
    }
  };
}
