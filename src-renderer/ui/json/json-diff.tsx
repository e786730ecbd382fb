import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const View = lazy(async () => ({ default: (await import('./json-diff-view.tsx')).JsonDiffView }));

/** What changed between two texts of JSON, in one column, with unchanged stretches folded. */
export function JsonDiff({ before, after }: { before: string; after: string }) {
  return (
    <Suspense fallback={<Skeleton height={200} />}>
      <View before={before} after={after} />
    </Suspense>
  );
}
