const files = import.meta.glob<Record<string, unknown>>('./*.json', { eager: true, import: 'default' });

/** Namespace → texts: one file of JSON per namespace. Those in `later` are no part of the first page. */
export default Object.fromEntries(Object.entries(files).map(([path, texts]) => [path.slice(2, -5), texts]));
