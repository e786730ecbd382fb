/** A file that is not taken, in words for the operator. */
export class ImportRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefusal';
  }
}

/** What an error says, as a refusal that begins with `prefix`; a full disk is no fault of the file. */
export function asRefusal(error: unknown, prefix: string): ImportRefusal {
  if (error instanceof ImportRefusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const isFull = code === 'SQLITE_FULL' || code === 'ENOSPC';
  return new ImportRefusal(
    isFull ? 'the disk of the data folder is full; make room and try again' : `${prefix}: ${words}`,
  );
}
