import { dirname, join } from 'node:path';
import { findParentPort } from '../../src-server/cli/launch/parent-port.ts';
import type { FromPanels, ToPanels } from './messages.ts';
import { createPanels, type Panels } from './panels.ts';
import { openSealedStore } from './store/sealed-store.ts';
import { openTransferNotes } from './transfer/transfer-notes.ts';

/** The process that reads all panels, so that none of them can slow down the window or its process. */
const port = findParentPort();
if (port === null) throw new Error('this process belongs to the desktop application');
const post = (message: FromPanels): void => port.post(message);
let panels: Panels | null = null;

const pulls = new Map<number, (words: string) => void>();
let lastPull = 0;

function backUp(panelId: string): Promise<void> {
  const id = (lastPull += 1);
  return new Promise((resolve, reject) => {
    pulls.set(id, (words) => (words === '' ? resolve() : reject(new Error(words))));
    post({ type: 'backUp', id, panelId });
  });
}

function ended({ id, words }: Extract<ToPanels, { type: 'backedUp' }>): void {
  pulls.get(id)?.(words);
  pulls.delete(id);
}

/** Nothing outlives the application. */
function end(): void {
  panels?.close();
  process.exit(0);
}

function take(message: ToPanels): void {
  if (message.type === 'open') {
    const store = openSealedStore(message.file, Buffer.from(message.key, 'base64'));
    panels = createPanels({
      store,
      isKept: message.isKept && store.isKept,
      notes: openTransferNotes(join(dirname(message.file), 'panels-transfers.json')),
      onCards: (cards) => post({ type: 'cards', cards }),
      onBusy: (isBusy) => post({ type: 'busy', isBusy }),
      backUp,
      clock: Date.now,
      monotonic: () => performance.now(),
    });
    return;
  }
  if (message.type === 'stop') return end();
  if (panels === null) return;
  if (message.type === 'targets') panels.setTargets(message.targets);
  else if (message.type === 'mode') panels.setMode(message.mode);
  else if (message.type === 'refresh') panels.refresh(message.id);
  else if (message.type === 'wake') panels.wake();
  else if (message.type === 'backedUp') ended(message);
  else void respond(panels, message);
}

async function respond(from: Panels, { id, request }: Extract<ToPanels, { type: 'request' }>): Promise<void> {
  try {
    post({ type: 'response', id, result: await from.handle(request) });
  } catch (error) {
    post({ type: 'failure', id, text: error instanceof Error ? error.message : String(error) });
  }
}

process.on('disconnect', end);
port.onMessage((message) => take(message as ToPanels));
post({ type: 'ready' });
