import { app } from 'electron';
import type { FromPanels, ToPanels } from '../panels/messages.ts';
import type { FromMaintenance, ToMaintenance } from '../panels/maintenance/messages.ts';
import { externalNode } from './external-node.ts';
import type { ServerRuntime } from './server-runtime.ts';
import { utilityRuntime } from './utility-process.ts';

/**
 * The panel runs in a utility process; in development, on request, under the Node that started the application:
 * `PANEL_NODE` names the Node, `PANEL_ENTRY` the script to run if it is not the bundle.
 */
export function chooseRuntime(entry: string): ServerRuntime {
  if (app.isPackaged) return utilityRuntime(entry);
  const { PANEL_NODE: node = '', PANEL_ENTRY: named = entry } = process.env;
  return node === '' ? utilityRuntime(named) : externalNode(node, named);
}

/** The same for the process that reads all panels. */
export function choosePanelsRuntime(entry: string): ServerRuntime<FromPanels, ToPanels> {
  const { PANEL_NODE: node = '' } = app.isPackaged ? {} : process.env;
  return node === '' ? utilityRuntime(entry, 'Switchyard panels') : externalNode(node, entry);
}

/** The same for the process for long work on panels. */
export function chooseMaintenanceRuntime(entry: string): ServerRuntime<FromMaintenance, ToMaintenance> {
  const { PANEL_NODE: node = '' } = app.isPackaged ? {} : process.env;
  return node === '' ? utilityRuntime(entry, 'Switchyard backups') : externalNode(node, entry);
}
