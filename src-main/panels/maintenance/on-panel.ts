import type { Link } from '../../connections/link.ts';
import type { PanelTarget } from '../messages.ts';
import { linkTo } from '../read-panel.ts';
import { createPanelApi, type PanelApi } from './panel-api.ts';

/**
 * Works on one of these panels over a link of its own.
 * @param signal ends a call that waits for the panel; absent for work that ends in its own way
 * @throws {Error} when it is not among them, or does not run
 */
export async function onPanel<T>(
  targets: ReadonlyMap<string, PanelTarget>,
  panelId: string,
  work: (api: PanelApi) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const target = targets.get(panelId);
  const link = target === undefined ? null : linkTo(target, () => undefined);
  if (target === undefined) throw new Error('this panel is not saved any more');
  if (link === null) throw new Error('the panel of this computer does not run');
  try {
    return await work(createPanelApi(target, signal === undefined ? link : endedBy(link, signal)));
  } finally {
    link.close();
  }
}

const endedBy = (link: Link, signal: AbortSignal): Link => ({
  ...link,
  forward: (request) =>
    link.forward({
      ...request,
      signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
    }),
});
