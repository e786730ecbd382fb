import { checkSettingsCertificates, type SettingsCertificates } from '#contract/settings';
import { useCall } from '../../api/transport-context.tsx';
import { useCertificateCheck } from '../../ui/notices/use-certificate-check.ts';
import type { Changes } from './settings-draft.ts';

const CHECKED = [
  'webDomain',
  'webCertFile',
  'subDomain',
  'subCertFile',
] as const satisfies (keyof SettingsCertificates)[];

/** Asks about the panel's own certificates before these changes are saved. */
export function useSettingsCertificates(changes: Changes) {
  const call = useCall();
  const check = useCertificateCheck((subject) =>
    call(checkSettingsCertificates, { body: JSON.parse(subject) as SettingsCertificates }),
  );
  const changed = CHECKED.filter((key) => key in changes);
  const subject =
    changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed.map((key) => [key, changes[key]])));
  return {
    isChecking: check.isChecking,
    warnings: check.warningsOf(subject),
    isAccepted: () => check.isAccepted(subject),
  };
}
