import { app } from 'electron';
import { externalNode } from './external-node.ts';
import type { ServerRuntime } from './server-runtime.ts';
import { utilityRuntime } from './utility-process.ts';

/**
 * The panel runs in a utility process; in development under the Node that started the application, when it says so:
 * `PANEL_NODE` names the Node, `PANEL_ENTRY` the script to run where that is not the bundle.
 */
export function chooseRuntime(entry: string): ServerRuntime {
  const node = process.env['PANEL_NODE'] ?? '';
  return app.isPackaged || node === ''
    ? utilityRuntime(entry)
    : externalNode(node, process.env['PANEL_ENTRY'] ?? entry);
}
