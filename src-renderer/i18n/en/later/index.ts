const files = import.meta.glob<Record<string, unknown>>('./*/*.json', { eager: true, import: 'default' });

/** Namespace → texts of refusals and of large pages, fetched behind the first page. A file is named as its namespace; its folder is not. */
export default Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [path.slice(path.lastIndexOf('/') + 1, -5), texts]),
);
