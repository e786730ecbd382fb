import type { PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { readInboundsByName, readTemplate, withSections, type PartLine } from './compared-parts.ts';
import { isObject, withLine } from './flat-lines.ts';

/** Sets one line in a panel: the surrounding document is read again, so nothing else changes. @throws {JobFailure} */
export async function takeLine(calls: PanelCalls, { part, group, path, value }: PartLine): Promise<void> {
  if (part === 'settings') {
    const settings = await calls.post('/panel/api/setting/all');
    if (!isObject(settings)) throw new JobFailure('wrong', { words: '' });
    // All settings: other panels treat missing ones as empty. A blank secret stays as it is.
    await calls.post('/panel/api/setting/update', { ...settings, [path[0] ?? '']: value });
    return;
  }
  if (part === 'core') {
    const { template, testUrl, base } = await readTemplate(calls);
    const changed = JSON.stringify(withLine(template, path, value), null, 2);
    await calls.form(`${base}/update`, { xraySetting: changed, outboundTestUrl: testUrl });
    return;
  }
  const known = (await readInboundsByName(calls)).get(group);
  const id = known?.['id'];
  if (typeof id !== 'number') throw new JobFailure('lineGone');
  // With its clients: a panel of this interface takes the sent inbound as the whole.
  const inbound = await calls.get(`/panel/api/inbounds/get/${id}`);
  if (!isObject(inbound)) throw new JobFailure('lineGone');
  const { clientStats: _stats, ...body } = withSections(inbound);
  await calls.post(`/panel/api/inbounds/update/${id}`, withLine(body, path, value));
}
