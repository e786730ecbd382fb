const EMPTY = -1;

/**
 * Interns strings by their bytes: a reading names every client twice, every five seconds, and nearly always the same
 * ones. Comparing bytes costs a tenth of making the string. Numbers count up from 0 and never change.
 */
export class SubjectNames {
  readonly #names: string[] = [];
  readonly #hashes: number[] = [];
  /** Where name i begins in {@link #bytes}; it ends where the next begins. */
  readonly #starts: number[] = [0];
  #bytes = Buffer.alloc(1024);
  #slots = new Int32Array(256).fill(EMPTY);

  /** How many different names have been seen. */
  get size(): number {
    return this.#names.length;
  }

  nameOf(id: number): string {
    return this.#names[id]!;
  }

  /** Number of the name that is in `bytes` from `start` to `end` as UTF-8. */
  idOf(bytes: Buffer, start: number, end: number): number {
    const hash = hashOf(bytes, start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let id = this.#slots[slot]!; id !== EMPTY; id = this.#slots[slot]!) {
      if (this.#hashes[id] === hash && this.#is(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
    return this.#add(bytes, start, end, hash, slot);
  }

  #is(id: number, bytes: Buffer, start: number, end: number): boolean {
    const own = this.#starts[id]!;
    if (this.#starts[id + 1]! - own !== end - start) return false;
    for (let i = start, j = own; i < end; i++, j++) if (bytes[i] !== this.#bytes[j]) return false;
    return true;
  }

  #add(bytes: Buffer, start: number, end: number, hash: number, slot: number): number {
    const id = this.#names.length;
    const at = this.#starts[id]!;
    while (at + end - start > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    bytes.copy(this.#bytes, at, start, end);
    this.#starts.push(at + end - start);
    this.#names.push(bytes.toString('utf8', start, end));
    this.#hashes.push(hash);
    this.#slots[slot] = id;
    if (this.#names.length * 2 > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#hashes.length; id++) {
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}

/** FNV-1a with 32 bits, its upper half folded in for the slots. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
