import type { JsonObject } from '../config/source.ts';
import { listenText } from '../api/endpoint.ts';
import type { DesiredState } from '../core.ts';
import type { Lifecycle } from '../process/lifecycle/lifecycle.ts';
import type { ConfigBuilder } from '../process/session.ts';
import { difference, type LiveChange } from './compare/diff.ts';
import { objectsOf, textOf } from './compare/inbound-parts.ts';
import { snapshotOf, type Snapshot } from './compare/snapshot.ts';

/** One part of the running core that a config change touches. */
export interface PlannedChange {
  part: 'inbound' | 'outbound' | 'users' | 'routing';
  /** Tag of the inbound or outbound; empty for routing. */
  name: string;
  action: 'added' | 'removed' | 'changed';
}

/** What it takes to make the running core match a config. */
export interface ApplyPlan {
  kind: 'unchanged' | 'live' | 'restart' | 'notRunning';
  /** Why a restart is unavoidable; empty otherwise. */
  reason: string;
  /** What changes live; everything else goes on undisturbed. */
  changes: PlannedChange[];
}

interface PlanDeps {
  lifecycle: Lifecycle;
  desired: DesiredState;
  builder: ConfigBuilder;
  logDir: string;
}

/** Predicts what {@link Applier} would do with another template. Changes nothing. */
export function createPlanner({ lifecycle, desired, builder, logDir }: PlanDeps) {
  return async (template: JsonObject): Promise<ApplyPlan> => {
    const source = await desired.full(template);
    const { session } = lifecycle;
    if (session === null) return { kind: 'notRunning', reason: '', changes: [] };
    const { config } = await builder.full(source, {
      apiListen: listenText(session.process.endpoint),
      logFolder: logDir,
      coreVersion: lifecycle.version,
    });
    const found = await difference(session.snapshot, config, await snapshotOf(config));
    if (found.kind === 'none') return { kind: 'unchanged', reason: '', changes: [] };
    if (found.kind === 'restart') return { kind: 'restart', reason: found.reason, changes: [] };
    return { kind: 'live', reason: '', changes: changesOf(found.change, session.snapshot, config) };
  };
}

function changesOf(change: LiveChange, now: Snapshot, config: JsonObject): PlannedChange[] {
  const wanted = new Set(objectsOf(config.outbounds).map(({ tag }) => textOf(tag)));
  const running = new Set(now.outbounds.map(({ tag }) => tag));
  const inbounds = change.addInbounds.map(({ tag }) => textOf(tag));
  const of = (part: PlannedChange['part'], action: PlannedChange['action']) => (name: string) => ({
    part,
    name,
    action,
  });
  return [
    ...change.removeInbounds.filter((tag) => !inbounds.includes(tag)).map(of('inbound', 'removed')),
    ...inbounds.filter((tag) => !now.inbounds.has(tag)).map(of('inbound', 'added')),
    ...inbounds.filter((tag) => now.inbounds.has(tag)).map(of('inbound', 'changed')),
    ...change.users.map(({ tag }) => tag).map(of('users', 'changed')),
    ...change.removeOutbounds.filter((tag) => !wanted.has(tag)).map(of('outbound', 'removed')),
    ...[...wanted].filter((tag) => !running.has(tag)).map(of('outbound', 'added')),
    ...change.removeOutbounds.filter((tag) => wanted.has(tag)).map(of('outbound', 'changed')),
    ...(change.routing === null ? [] : [of('routing', 'changed')('')]),
  ];
}
