import type { SettingsView } from '#contract/settings';
import { BackupSection } from './backup/backup-section.tsx';
import { CertificatesSection } from './certificates/certificates-section.tsx';
import { MailTest } from './notifications/mail-test.tsx';
import { EventGrid } from './notifications/event-grid.tsx';
import { FailedDeliveries } from './notifications/failed-deliveries.tsx';
import { WebhookList } from './notifications/webhook-list.tsx';
import { BotState } from './bot/bot-state.tsx';
import { DirectorySection } from './directory/directory-section.tsx';
import { HeaderPreview } from './header-preview.tsx';
import type { Section } from './sections.ts';
import { AccountForm } from './security/account-form.tsx';
import { SessionList } from './security/session-list.tsx';
import { TokenList } from './security/token-list.tsx';
import { TwoFactor } from './security/two-factor.tsx';
import { SettingGroups } from './setting-groups.tsx';

/** The content of a section: its settings, and other parts. */
export function SectionContent({ section, stored }: { section: Section; stored: SettingsView }) {
  if (section === 'backup') return <BackupSection />;
  if (section === 'certificates') return <CertificatesSection />;
  return (
    <>
      {section === 'security' && (
        <>
          <AccountForm isTwoFactorOn={stored.twoFactorEnable} />
          <TwoFactor isOn={stored.twoFactorEnable} />
          <TokenList />
          <SessionList />
        </>
      )}
      {section === 'bot' && <BotState />}
      {section === 'directory' && <DirectorySection />}
      <SettingGroups
        stored={stored}
        section={section}
        search=""
        below={{ subTexts: <HeaderPreview />, mail: <MailTest /> }}
      />
      {section === 'notifications' && (
        <>
          <WebhookList />
          <EventGrid />
          <FailedDeliveries />
        </>
      )}
    </>
  );
}
