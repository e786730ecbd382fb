import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** No certificate chain or key is longer; anything larger is not read. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Text of a PEM file; empty for anything that is no ordinary, readable, short file: opening a pipe would never end. */
export async function readPemFile(path: string): Promise<string> {
  try {
    const file = await stat(path);
    return file.isFile() && file.size <= MAX_FILE_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** The first certificate of a chain, which is the one for the server itself; null when the text holds none. */
export function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
