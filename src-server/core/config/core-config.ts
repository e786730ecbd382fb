import type { CoreConfigSource, InboundSource, JsonObject, LeftOut } from './source.ts';
import { textOf } from './json-access.ts';
import { inboundSteps } from './inbound/inbound-config.ts';
import { finished, type Steps } from './steps.ts';
import { withConfinedKeyLogs } from './security/key-log.ts';
import { PortClaims } from './port-claims.ts';
import { withApi } from './template/api-section.ts';
import { withBridges } from './template/egress-bridges.ts';
import { withConfinedLog } from './template/log-paths.ts';
import { withMetrics } from './template/metrics-section.ts';
import { withoutRemovedSections, withOutbounds } from './template/outbound-section.ts';
import { withPolicy } from './template/policy-section.ts';
import { withRouting, type Notes } from './template/routing-section.ts';
import { templateInbounds, templateListeners } from './template/template-inbounds.ts';

export interface CoreConfigOptions {
  /** `127.0.0.1:62789`, or the path of a socket with its mode: `/run/panel/core.sock,0600`. */
  apiListen: string;
  /** Where the core may write its logs; the template can only choose file names inside it. */
  logFolder: string;
  /** As `xray version` reports it; absent or `Unknown` = current. */
  coreVersion?: string;
}

export interface BuiltConfig {
  config: JsonObject;
  /** Stored things that do not run, with reasons the operator can act on. */
  leftOut: LeftOut[];
  /** What runs differently from how it is written. */
  warnings: string[];
}

/**
 * The config the core runs, from plain data: same input, same bytes. One bad stored inbound, client, outbound or rule
 * never keeps the rest from running; it is left out and listed. Members of the template that the panel does not know
 * are passed on. Nothing of the source is changed, but the result shares parts with it: treat both as read-only.
 */
export function buildCoreConfig(source: CoreConfigSource, options: CoreConfigOptions): BuiltConfig {
  return finished(coreConfigSteps(source, options));
}

/** {@link buildCoreConfig} in steps, for panels with many clients. */
export function* coreConfigSteps(source: CoreConfigSource, options: CoreConfigOptions): Steps<BuiltConfig> {
  const notes: Notes = { leftOut: [], warnings: [] };
  let config = withConfinedLog(source.template, options.logFolder);
  config = withoutRemovedSections(config, notes);
  config = withApi(config, options.apiListen);
  config = withPolicy(config);
  config = withOutbounds(config, source.subscribedOutbounds, notes);
  config = withRouting(config, options.coreVersion, notes);
  config = yield* withInbounds(config, source, options, notes);
  config = withMetrics(config, notes);
  config = withBridges(config, source.bridges ?? [], notes);
  return { config: config, leftOut: notes.leftOut, warnings: notes.warnings };
}

/** The template's own inbounds first, then the panel's in the given order. */
function* withInbounds(
  config: JsonObject,
  source: CoreConfigSource,
  options: CoreConfigOptions,
  notes: Notes,
): Steps<JsonObject> {
  const inbounds = templateInbounds(config, notes).map(withConfinedKeyLogs);
  const tags = new Set(inbounds.map((inbound) => textOf(inbound['tag'])));
  const ports = new PortClaims(options.apiListen, templateListeners({ ...config, inbounds }));
  const emitOptions = options.coreVersion === undefined ? {} : { coreVersion: options.coreVersion };
  for (const stored of source.inbounds) {
    yield;
    const { inbound, leftOut } = yield* inboundSteps(stored, emitOptions);
    notes.leftOut.push(...leftOut);
    if (inbound === null) continue;
    const problem = conflictOf(stored, tags, ports);
    if (problem !== null) {
      const reason = `Inbound ${stored.tag} does not run: ${problem}`;
      notes.leftOut.push({ kind: 'inbound', name: stored.tag, reason });
      continue;
    }
    tags.add(stored.tag);
    inbounds.push(inbound);
    const other = ports.claim(stored);
    if (other !== null) {
      notes.warnings.push(
        `Inbounds ${other} and ${stored.tag} share port ${stored.port}: connections reach one of them at random.`,
      );
    }
  }
  return { ...config, inbounds };
}

function conflictOf(stored: InboundSource, tags: ReadonlySet<string>, ports: PortClaims): string | null {
  if (tags.has(stored.tag)) return 'another inbound has the same tag; rename one.';
  return ports.coversApi(stored) ? "the core's API listens there; choose another port or path." : null;
}
