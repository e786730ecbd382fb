import { release } from 'node:os';
import { runCommand } from '../../core/binary/run-command.ts';
import { createSocketCutter } from '../../core/sessions/socket-cutter.ts';
import { PANEL_VERSION } from '../../version.ts';
import { fine, todo, type Finding } from './finding.ts';

const TOOL_MS = 5_000;

/** What runs here, and whether single connections can be ended. */
export async function checkMachine(): Promise<Finding[]> {
  const versions = fine(
    `This is panel ${PANEL_VERSION}, on Node ${process.versions.node} and ${process.platform} ${release()}.`,
  );
  if (process.platform !== 'linux') return [versions];
  const cutter = createSocketCutter((program, args) =>
    runCommand(program, args, { env: process.env, timeoutMs: TOOL_MS }),
  );
  const { canCut, reason } = await cutter.ability();
  if (canCut) return [versions, fine('Single connections of clients can be ended (ss).')];
  if (reason.includes('not installed'))
    return [
      versions,
      todo(`Single connections of clients cannot be ended: ${reason}. Install it: apt install iproute2`),
    ];
  // A command lacks the capabilities of the service.
  return [
    versions,
    fine(`ss is there. This command may not end connections by it; the service has CAP_NET_ADMIN for that.`),
  ];
}
