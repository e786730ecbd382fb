import { open } from 'node:fs/promises';

/** ELF machine numbers by Node's name for the architecture. */
const ELF_MACHINES: Readonly<Record<string, number>> = {
  ia32: 3,
  mips: 8,
  mipsel: 8,
  ppc64: 21,
  s390x: 22,
  arm: 40,
  x64: 62,
  arm64: 183,
  riscv64: 243,
  loong64: 258,
};
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe]);

/**
 * Whether the file is an executable for another operating system or processor. Checked after a failed start: a shell
 * may have been tried on it instead, so the failure itself does not tell. Scripts are never foreign.
 */
export async function isForeignExecutable(
  path: string,
  platform = process.platform,
  arch = process.arch,
): Promise<boolean> {
  const head = Buffer.alloc(20);
  const file = await open(path, 'r');
  try {
    if ((await file.read(head, 0, head.length, 0)).bytesRead < head.length) return false;
  } finally {
    await file.close();
  }
  if (head.toString('latin1', 0, 2) === 'MZ') return platform !== 'win32';
  if (MACH_O.has(head.readUInt32BE(0))) return platform !== 'darwin';
  if (head.toString('latin1', 0, 4) !== '\x7fELF') return false;
  if (platform === 'win32' || platform === 'darwin') return true;
  const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
  const wanted = ELF_MACHINES[arch];
  // A 32-bit program runs on the 64-bit processor of its family.
  const isFamily =
    (arch === 'x64' && machine === ELF_MACHINES.ia32) || (arch === 'arm64' && machine === ELF_MACHINES.arm);
  return wanted !== undefined && machine !== wanted && !isFamily;
}
