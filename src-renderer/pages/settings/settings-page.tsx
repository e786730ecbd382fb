import { useTranslation } from 'react-i18next';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { Page } from '../../ui/layout/page.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { QueryView } from '../../ui/query-view/query-view.tsx';
import { RestartNotice, useRestartButton } from './restart/restart-notice.tsx';
import { SettingsBar } from './save-bar.tsx';
import { SectionContent } from './section-content.tsx';
import { SettingsNav } from './section-nav.tsx';
import { SHOWN_SECTIONS, type Section } from './sections.ts';
import { SettingGroups } from './setting-groups.tsx';
import classes from './settings.module.css';
import { useSettings } from './use-settings.ts';

/** All settings, in sections, with one draft across all of them. */
export function SettingsPage() {
  const { t } = useTranslation(['settings', 'shell']);
  const { section = 'general' } = useParams();
  const [params, setParams] = useSearchParams();
  const settings = useSettings();
  const restart = useRestartButton();
  const search = params.get('q') ?? '';
  if (!isSection(section)) return <Navigate to="/panel/settings/general" replace />;
  const handleSearch = (text: string): void => setParams(text === '' ? {} : { q: text }, { replace: true });
  return (
    <Page title={t('shell:nav.settings')} actions={restart}>
      <SearchField label={t('search')} value={search} onSearch={handleSearch} miw={0} maw={420} flex="none" />
      <SettingsNav current={search === '' ? section : null} />
      <RestartNotice />
      <QueryView query={settings}>
        {(stored) => (
          <div className={classes['content']}>
            {search === '' ? (
              <SectionContent section={section} stored={stored} />
            ) : (
              <SettingGroups stored={stored} section={null} search={search} />
            )}
            <SettingsBar stored={stored} />
          </div>
        )}
      </QueryView>
    </Page>
  );
}

function isSection(text: string): text is Section {
  return (SHOWN_SECTIONS as readonly string[]).includes(text);
}
