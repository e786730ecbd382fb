/** E-mails in the order of their record ids, kept so under single insertions and removals. */
export class SortedMembers {
  private readonly ids: number[];
  private readonly names: string[];

  /** @param ids ascending; `names[i]` belongs to `ids[i]`. */
  constructor(ids: number[] = [], names: string[] = []) {
    this.ids = ids;
    this.names = names;
  }

  get emails(): readonly string[] {
    return this.names;
  }

  get clientIds(): readonly number[] {
    return this.ids;
  }

  set(id: number, email: string): void {
    const at = this.indexOf(id);
    const replaced = this.ids[at] === id ? 1 : 0;
    this.ids.splice(at, replaced, id);
    this.names.splice(at, replaced, email);
  }

  delete(id: number): void {
    const at = this.indexOf(id);
    if (this.ids[at] !== id) return;
    this.ids.splice(at, 1);
    this.names.splice(at, 1);
  }

  /** First position whose id is not below. */
  private indexOf(id: number): number {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
