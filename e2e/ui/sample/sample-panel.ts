import { startPanel, type PanelProcess } from '../../harness/panel-process.ts';
import { fillHistory } from './fill-history.ts';
import { fillPanel, type Sample } from './fill-panel.ts';

/** A panel with the sample and its history, as after weeks of use and one restart, which left an automatic backup. */
export async function startSamplePanel(): Promise<{ panel: PanelProcess; sample: Sample }> {
  const first = await startPanel();
  const sample = await fillPanel(first.api);
  await first.stop();
  await fillHistory(first.dataDir);
  const second = await startPanel({ dataDir: first.dataDir });
  // The first start printed the credentials.
  return { panel: { ...second, stderr: () => first.stderr() + second.stderr() }, sample };
}
