/** A refused file, with a text for the operator. */
export class ImportRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefusal';
  }
}

/** An error as a refusal that begins with `prefix`; a full disk is not the file's fault. */
export function asRefusal(error: unknown, prefix: string): ImportRefusal {
  if (error instanceof ImportRefusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const isFull = code === 'SQLITE_FULL' || code === 'ENOSPC';
  return new ImportRefusal(
    isFull ? 'the disk of the data folder is full; make room and try again' : `${prefix}: ${words}`,
  );
}
