/**
 * Reads one protobuf message field by field, without building objects. For answers that hold so many parts that decoding
 * them as a whole would hold up the event loop.
 */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Start and end of the field that was read last by {@link span}. */
  start = 0;
  end = 0;

  /** Number and wire type of the next field (`number * 8 + type`), 0 at the end. */
  tag(): number {
    return this.#at < this.#end ? this.varint() : 0;
  }

  /** Unsigned; exact below 2^53. Negative int64 come out as a huge number. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      if (this.#at >= this.#end) throw new RangeError('truncated message');
      const byte = this.#bytes[this.#at] as number;
      this.#at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  /** Steps over a length-delimited field, leaving its place in {@link start} and {@link end}. */
  span(): void {
    const length = this.varint();
    this.start = this.#at;
    this.end = this.#at + length;
    if (this.end > this.#end) throw new RangeError('truncated message');
    this.#at = this.end;
  }

  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.varint();
        break;
      case 1:
        this.#advance(8);
        break;
      case 2:
        this.span();
        break;
      case 5:
        this.#advance(4);
        break;
      default:
        throw new RangeError(`wire type ${tag & 7}`);
    }
  }

  #advance(count: number): void {
    this.#at += count;
    if (this.#at > this.#end) throw new RangeError('truncated message');
  }
}
