import { setFlagsFromString } from 'node:v8';

/** Current JavaScript and Node features that the sources use, for a main process with Node 16. */
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
// Used to write the settings files.
give(Array.prototype, 'toSorted', function sorted(this: unknown[], compare?: (one: unknown, other: unknown) => number) {
  return [...this].sort(compare);
});

// On exit Node 16 runs tasks until there are none, and an incremental collection schedules its next step forever.
setFlagsFromString('--no-incremental-marking');
