import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Assets are named relative to each other; only the page knows the base path, which the panel writes into it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [
    react(),
    {
      name: 'base-path-of-the-page',
      transformIndexHtml: { order: 'post', handler: (html) => html.replaceAll('"./assets/', '"/__base__/assets/') },
    },
  ],
  build: {
    outDir: fileURLToPath(new URL('../dist/renderer', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    target: 'es2023',
    // The first with light-dark(): older ones would get a replacement that needs the theme declared in the same file.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
