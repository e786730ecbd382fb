import { checkSettingsCertificates, type SettingsCertificates } from '#contract/settings';
import { useCall } from '../../api/transport-context.tsx';
import { useCertificateQuestion } from '../../ui/notices/use-certificate-question.ts';
import type { Changes } from './settings-draft.ts';

const ASKED = [
  'webDomain',
  'webCertFile',
  'subDomain',
  'subCertFile',
] as const satisfies (keyof SettingsCertificates)[];

/** Asks about the panel's own certificates before these changes are saved. */
export function useSettingsCertificates(changes: Changes) {
  const call = useCall();
  const question = useCertificateQuestion((subject) =>
    call(checkSettingsCertificates, { body: JSON.parse(subject) as SettingsCertificates }),
  );
  const asked = ASKED.filter((key) => key in changes);
  const subject = asked.length === 0 ? '' : JSON.stringify(Object.fromEntries(asked.map((key) => [key, changes[key]])));
  return {
    isAsking: question.isAsking,
    warnings: question.warningsOf(subject),
    isAccepted: () => question.isAccepted(subject),
  };
}
