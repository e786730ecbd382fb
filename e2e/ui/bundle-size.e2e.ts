import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const BUILT = join(import.meta.dirname, '..', '..', 'dist', 'renderer');
const LIMIT_BYTES = 350_000;

interface Chunk {
  file: string;
  imports?: string[];
}

describe('web interface bundle', () => {
  it('shows its first page after at most 350 kB of gzipped JavaScript', () => {
    const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    // What the overview needs: the entry, the frame, the page itself and the texts of one language.
    const waiting = ['index.html', 'app/shell.tsx', 'pages/overview/overview-page.tsx', 'i18n/fa/index.ts'];
    const files = new Set<string>();
    for (const key of waiting) {
      const { file, imports = [] } = manifest[key]!;
      if (files.has(file)) continue;
      files.add(file);
      waiting.push(...imports);
    }
    const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILT, file))).length, 0);
    expect(files.size).toBeGreaterThan(4);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
    process.stdout.write(`first page: ${bytes} bytes in ${files.size} files\n`);
  });
});
