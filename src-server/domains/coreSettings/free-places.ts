import { DomainError } from '../../contract/domain-error.ts';
import type { JsonObject } from '../../contract/json.ts';
import { hostAndPort, portOf } from '../../core/config/inbound/listen-address.ts';
import { objectOf, textOf } from '../../core/config/json-access.ts';
import { templateListeners, type TemplateListener } from '../../core/config/template/template-inbounds.ts';
import type { TemplateStore } from './template-store.ts';

export interface FreePlacesDeps {
  templates: Pick<TemplateStore, 'readable'>;
  /** @throws {DomainError} when an inbound or the panel uses a TCP port of this machine. */
  requireFreePort: (listen: string, port: number) => Promise<void>;
  /** @throws {DomainError} when an inbound or the panel has the tag or the place of an inbound of the template. */
  requireFreeListener: (listener: TemplateListener) => Promise<void>;
}

/** Refuses a template, before it is stored, for a tag or a place that an inbound or the panel has. */
export function createFreePlaces({ templates, requireFreePort, requireFreeListener }: FreePlacesDeps) {
  return async (template: JsonObject): Promise<void> => {
    const before = (await templates.readable()) ?? {};
    await requireFreeMetrics(template, before, requireFreePort);
    for (const listener of changedListeners(template, before)) await requireFreeListener(listener);
  };
}

/**
 * The core opens the metrics listener itself, so nothing else detects a taken port: it is checked when the port
 * changes.
 */
async function requireFreeMetrics(
  template: JsonObject,
  stored: JsonObject,
  requireFree: FreePlacesDeps['requireFreePort'],
): Promise<void> {
  const listenOf = ({ metrics }: JsonObject): string => textOf(objectOf(metrics)['listen']);
  const listen = listenOf(template);
  const port = portOf(listen);
  if (port === null || listen === listenOf(stored)) return;
  try {
    await requireFree(hostAndPort(listen)?.host ?? '', port);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, error.params, { field: 'metrics.listen', cause: error });
  }
}

/** Those with another tag or place than before: a clash of today is left to the core, and blocks no other change. */
function changedListeners(template: JsonObject, stored: JsonObject): TemplateListener[] {
  const claimOf = ({ tag, listen, port, transports }: TemplateListener): string =>
    JSON.stringify([tag, listen, port, transports]);
  const known = new Set(templateListeners(stored).map(claimOf));
  return templateListeners(template).filter((listener) => !known.has(claimOf(listener)));
}
