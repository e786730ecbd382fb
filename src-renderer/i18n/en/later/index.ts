const files = import.meta.glob<Record<string, unknown>>('./*.json', { eager: true, import: 'default' });

/** Namespace → texts of refusals and of large pages, fetched behind the first page. */
export default Object.fromEntries(Object.entries(files).map(([path, texts]) => [path.slice(2, -5), texts]));
