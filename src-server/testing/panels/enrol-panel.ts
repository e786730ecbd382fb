import { PassThrough } from 'node:stream';
import { runAdmin } from '../../cli/admin/run-admin.ts';
import { beside } from '../postgres/databases.ts';
import type { TestPanel } from './open-panel.ts';

/** Makes `node` a node of the first panel with a ticket; the command uses the clock of this machine. */
export async function enrolPanel(master: TestPanel, node: TestPanel): Promise<void> {
  const { ticket } = await master.done<{ ticket: string }>('/nodes/enrolments/create');
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const umask = process.umask();
  await beside(node.dataDir, () =>
    runAdmin(['--data-dir', node.dataDir, 'enroll', ticket], { ...process, ...streams } as never),
  );
  process.umask(umask);
}
