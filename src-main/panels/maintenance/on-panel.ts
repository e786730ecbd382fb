import type { PanelTarget } from '../messages.ts';
import { linkTo } from '../read-panel.ts';
import { createPanelApi, type PanelApi } from './panel-api.ts';

/** Works on one of these panels over a link of its own. @throws {Error} when it is not among them, or does not run */
export async function onPanel<T>(
  targets: ReadonlyMap<string, PanelTarget>,
  panelId: string,
  work: (api: PanelApi) => Promise<T>,
): Promise<T> {
  const target = targets.get(panelId);
  const link = target === undefined ? null : linkTo(target, () => undefined);
  if (target === undefined) throw new Error('this panel is not saved any more');
  if (link === null) throw new Error('the panel of this computer does not run');
  try {
    return await work(createPanelApi(target, link));
  } finally {
    link.close();
  }
}
