import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { Page } from '../../ui/layout/page.tsx';
import { SectionNav } from '../../ui/layout/section-nav.tsx';
import { ChangeList } from './changes/change-list.tsx';
import { RecycleBin } from './bin/recycle-bin.tsx';

const SECTIONS = ['changes', 'bin'] as const;

/** The journal: what was changed, by whom, and how to undo it. */
export function JournalPage() {
  const { t } = useTranslation(['journal', 'shell']);
  const { section } = useParams();
  const current = section === 'bin' ? 'bin' : 'changes';
  return (
    <Page title={t('shell:nav.journal')}>
      <SectionNav
        label={t('shell:nav.journal')}
        sections={SECTIONS}
        current={current}
        nameOf={(each) => t(`section.${each}`)}
        addressOf={(each) => (each === 'bin' ? '/panel/journal/bin' : '/panel/journal')}
      />
      {current === 'bin' ? <RecycleBin /> : <ChangeList />}
    </Page>
  );
}
