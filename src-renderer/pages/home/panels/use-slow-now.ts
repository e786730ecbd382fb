import { useEffect, useState } from 'react';

const STEP_MS = 15_000;

/** This machine's time in milliseconds, updated four times a minute: ages of readings need no more. */
export function useSlowNow(): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
