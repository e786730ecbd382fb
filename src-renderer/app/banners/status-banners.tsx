import { StandbyBanner } from './standby-banner.tsx';
import { VersionBanner } from './version-banner.tsx';

/** What the panel's status says on every page. */
export function StatusBanners() {
  return (
    <>
      <StandbyBanner />
      <VersionBanner />
    </>
  );
}
