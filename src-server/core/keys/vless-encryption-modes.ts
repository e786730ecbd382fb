/** Both halves of one vless encryption: `decryption` belongs to the inbound, `encryption` to its clients. */
export interface VlessEncryptionPair {
  /** `x25519`, `mlkem768`, or one of them with `_xorpub`, `_random`. */
  id: string;
  label: string;
  decryption: string;
  encryption: string;
}

const OTHER_MODES = ['xorpub', 'random'];

/**
 * The generated native pairs first, then the same keys in the other two modes: the packets look different, the key
 * material is the same.
 */
export function vlessEncryptionModes(pairs: readonly VlessEncryptionPair[]): VlessEncryptionPair[] {
  const ordered = [...pairs].sort((one, other) => rank(one) - rank(other));
  const others = ordered.flatMap((pair) => OTHER_MODES.map((mode) => inMode(pair, mode)));
  return [...ordered, ...others];
}

function inMode(pair: VlessEncryptionPair, mode: string): VlessEncryptionPair {
  return {
    id: `${pair.id}_${mode}`,
    label: `${pair.label} (${mode})`,
    decryption: pair.decryption.replace('.native.', `.${mode}.`),
    encryption: pair.encryption.replace('.native.', `.${mode}.`),
  };
}

function rank(pair: VlessEncryptionPair): number {
  return pair.id === 'x25519' ? 0 : 1;
}
