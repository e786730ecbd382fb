import { app } from 'electron';
import { externalNode } from './external-node.ts';
import type { ServerRuntime } from './server-runtime.ts';
import { utilityRuntime } from './utility-process.ts';

/**
 * The panel runs in a utility process; in development under the Node that started the application, when it says so:
 * `PANEL_NODE` names the Node, `PANEL_ENTRY` the script to run where that is not the bundle.
 */
export function chooseRuntime(entry: string): ServerRuntime {
  if (app.isPackaged) return utilityRuntime(entry);
  const { PANEL_NODE: node = '', PANEL_ENTRY: named = entry } = process.env;
  return node === '' ? utilityRuntime(named) : externalNode(node, named);
}
