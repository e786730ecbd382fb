import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router';
import classes from './shell.module.css';

/** A line at the top while the program of the next page is on its way: without it a click seems lost. */
export function PageProgress() {
  const { t } = useTranslation('shell');
  if (useNavigation().state === 'idle') return null;
  return <div role="progressbar" aria-label={t('loading')} aria-busy="true" className={classes['progress'] ?? ''} />;
}
