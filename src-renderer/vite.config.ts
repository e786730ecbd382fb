import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The modules of the first page, in one file; split by who shares them there would be a hundred. The entry stays
 * outside: it waits for its texts, and everything that imports from its file would wait too.
 */
const FIRST_PAGE = {
  name: 'first-page',
  tags: ['$initial' as const],
  test: (id: string) => !/(?:main\.tsx|\.html)(?:\?|$)/.test(id),
};

/** Assets are named relative to each other; only the page knows the base path, which the panel writes into it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [
    react(),
    {
      name: 'base-path-of-the-page',
      enforce: 'post',
      // When the page is complete: its icon's address is filled in last.
      generateBundle(_, files) {
        const page = files['index.html'];
        if (page?.type !== 'asset') throw new Error('no index.html was built');
        page.source = String(page.source).replaceAll('"./assets/', '"/__base__/assets/');
      },
    },
  ],
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: [FIRST_PAGE] } } },
    // The first with light-dark(): for older ones the build emits a replacement that needs the theme in the same file.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
