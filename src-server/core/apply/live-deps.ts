import type { DesiredState } from '../core.ts';
import type { CheckConfig } from '../process/config-check.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import type { ConfigBuilder, Session } from '../process/session.ts';
import type { BalancerOverrides } from './balancer-overrides.ts';
import type { Compile } from './convert.ts';
import type { LiveChange } from './compare/diff.ts';
import { executeChange, type CompiledChange, type PartialFailures } from './hot-apply.ts';

/** What a change of the running core is made with. */
export interface LiveDeps {
  lifecycle: Pick<Lifecycle, 'isClosed' | 'version'>;
  desired: DesiredState;
  builder: ConfigBuilder;
  compile: Compile;
  check: CheckConfig;
  logDir: string;
  overrides: BalancerOverrides;
}

/** Makes a change in this session, unless the core is being closed. */
export const executeIn = (
  { lifecycle }: Pick<LiveDeps, 'lifecycle'>,
  { process, snapshot }: Session,
  change: LiveChange,
  compiled: CompiledChange,
): Promise<PartialFailures> => executeChange(process.api, snapshot, change, compiled, () => lifecycle.isClosed);
