import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** This machine's time in milliseconds, updated every second while mounted. */
export function useNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
