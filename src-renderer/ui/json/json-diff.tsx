import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { later } from '../notices/later.tsx';

const View = later(async () => (await import('./json-diff-view.tsx')).JsonDiffView);

/** What changed between two texts of JSON, in one column, with unchanged stretches folded. */
export function JsonDiff({ before, after }: { before: string; after: string }) {
  return (
    <Suspense fallback={<Skeleton height={200} />}>
      <View before={before} after={after} />
    </Suspense>
  );
}
