/// <reference lib="esnext" />

/** Runs in the page before each of its scripts, as text: features that the interface expects and Chromium 108 lacks. */
export function fillInPage(): void {
  const give = (to: object, name: string, value: unknown): void => {
    if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true });
  };
  give(Array.prototype, 'with', function replaced(this: unknown[], at: number, value: unknown) {
    const copy = [...this];
    copy[at < 0 ? copy.length + at : at] = value;
    return copy;
  });
  give(
    Array.prototype,
    'toSorted',
    function sorted(this: unknown[], compare?: (one: unknown, other: unknown) => number) {
      return [...this].sort(compare);
    },
  );
  give(Array.prototype, 'toReversed', function reversed(this: unknown[]) {
    return this.map((_, at) => this[this.length - 1 - at]);
  });
  give(Array.prototype, 'toSpliced', function spliced(this: unknown[], ...change: [number, number, ...unknown[]]) {
    const copy = [...this];
    copy.splice(...change);
    return copy;
  });
  // Refusing to unload was a matter of `returnValue` alone until Chromium 119. Workers have no such event.
  if (typeof BeforeUnloadEvent !== 'undefined')
    BeforeUnloadEvent.prototype.preventDefault = function refuse(this: BeforeUnloadEvent) {
      Event.prototype.preventDefault.call(this);
      this.returnValue = ' ';
    };
  give(Map, 'groupBy', (items: Iterable<unknown>, keyOf: (item: unknown, at: number) => unknown) => {
    const groups = new Map<unknown, unknown[]>();
    let at = 0;
    for (const item of items) {
      const key = keyOf(item, at);
      groups.set(key, [...(groups.get(key) ?? []), item]);
      at += 1;
    }
    return groups;
  });
}
