/** Electron's words around a refusal, and the kind of error. */
const AROUND = /^Error invoking remote method '[^']*': (?:\w+: )?/;

/** A failed call of the bridge in the words of the window's process alone: the page shows them. */
export function ownWords(error: unknown): Error {
  return new Error(String(error instanceof Error ? error.message : error).replace(AROUND, ''));
}
