import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Certificate chains and keys are never longer; anything larger is not read. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Text of a PEM file; empty unless it is an ordinary, readable, short file: opening a pipe would never end. */
export async function readPemFile(path: string): Promise<string> {
  try {
    const file = await stat(path);
    return file.isFile() && file.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The first certificate of a chain, which is the server's own; null when the text holds none. */
export function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
