import { setFlagsFromString } from 'node:v8';

/** What the sources use of current JavaScript and Node, for a main process with Node 16. */
const give = (to: object, name: string, value: unknown): void => {
  if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true });
};
give(URL, 'canParse', (text: string | URL): boolean => {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
});
// What the settings files are kept with.
give(Array.prototype, 'toSorted', function sorted(this: unknown[], compare?: (one: unknown, other: unknown) => number) {
  return [...this].sort(compare);
});

// At the end Node 16 runs tasks until there are none, and a collection that goes on in steps hands itself the next for ever.
setFlagsFromString('--no-incremental-marking');
