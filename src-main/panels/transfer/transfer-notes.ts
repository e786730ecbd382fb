import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** Records that a transfer began: the connection ids of its panels, and when. Nothing of its contents. */
const TransferNote = z.object({
  id: z.string(),
  fromId: z.string(),
  toId: z.string(),
  mode: z.enum(['copy', 'move']),
  startedAtMs: z.number(),
});
export type TransferNote = z.output<typeof TransferNote>;

/** @param file null = in memory */
export function openTransferNotes(file: string | null) {
  let notes = file === null ? [] : read(file);
  function change(next: TransferNote[]): void {
    notes = next;
    if (file === null) return;
    if (notes.length === 0) return rmSync(file, { force: true });
    const temp = `${file}.tmp`;
    writeFileSync(temp, JSON.stringify(notes), { mode: 0o600 });
    renameSync(temp, file);
  }
  return {
    list: (): TransferNote[] => notes,
    add: ({ id, fromId, toId, mode, startedAtMs }: TransferNote): void =>
      change([...notes, { id, fromId, toId, mode, startedAtMs }]),
    remove(id: string): void {
      if (notes.some((note) => note.id === id)) change(notes.filter((note) => note.id !== id));
    },
  };
}
/** Without a key store to seal it, the journal ends with the application; only the fact of a transfer remains. */
export type TransferNotes = ReturnType<typeof openTransferNotes>;

function read(file: string): TransferNote[] {
  try {
    return z.array(TransferNote).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
