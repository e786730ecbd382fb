const files = import.meta.glob<Record<string, unknown>>(
  [
    './*.json',
    '!./refusals.json',
    '!./core.json',
    '!./firstRun.json',
    '!./hosts.json',
    '!./apiReference.json',
    '!./about.json',
    '!./inboundEditor.json',
    '!./nodes.json',
    '!./notifications.json',
  ],
  { eager: true, import: 'default' },
);

/** Namespace → texts: one file of JSON per namespace. Those of `later.ts` are no part of the first page. */
export default Object.fromEntries(Object.entries(files).map(([path, texts]) => [path.slice(2, -5), texts]));
