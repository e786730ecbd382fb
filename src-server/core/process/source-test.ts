import type { FoundCore } from '../binary/locate.ts';
import type { CoreConfigSource } from '../config/source.ts';
import type { ConfigVerdict } from '../core.ts';
import type { createConfigReport } from './config-check.ts';
import type { ConfigBuilder } from './session.ts';

export interface SourceTestDeps {
  locate: () => Promise<FoundCore>;
  builder: Pick<ConfigBuilder, 'full'>;
  report: ReturnType<typeof createConfigReport>;
  logDir: string;
}

/** Whether the installed core would start with a desired state. Ok when there is no core. */
export function createSourceTest({ locate, builder, report, logDir }: SourceTestDeps) {
  return async (source: CoreConfigSource): Promise<ConfigVerdict> => {
    const found = await locate();
    if (!found.ok) return { ok: true, text: '' };
    const { config } = await builder.full(source, {
      apiListen: '127.0.0.1:1',
      logFolder: logDir,
      coreVersion: found.version,
    });
    const { refusal, warnings } = await report(config);
    return { ok: refusal === '', text: refusal, warnings };
  };
}
