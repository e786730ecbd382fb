import { useIntersection } from '@mantine/hooks';
import { Suspense, useState, type ReactNode } from 'react';

/** Renders heavy content once it comes near the window; until then it only takes its space. */
export function WhenSeen({ heightPx, children }: { heightPx: number; children: ReactNode }) {
  const { ref, entry } = useIntersection({ rootMargin: '100px' });
  const [wasSeen, setSeen] = useState(false);
  if (entry?.isIntersecting === true && !wasSeen) setSeen(true);
  return (
    <div ref={ref} style={wasSeen ? undefined : { minBlockSize: heightPx }}>
      {wasSeen && <Suspense fallback={null}>{children}</Suspense>}
    </div>
  );
}
