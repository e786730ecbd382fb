import { useEffect, useState } from 'react';
import { refusalTextsLoaded } from './i18n.ts';

/** Fetches the words of refusals at once for a page that has some to show, and draws it again with them. */
export function useRefusalTexts(isNeeded: boolean): void {
  const [, setAreThere] = useState(false);
  useEffect(() => {
    if (isNeeded) void refusalTextsLoaded().then(() => setAreThere(true));
  }, [isNeeded]);
}
