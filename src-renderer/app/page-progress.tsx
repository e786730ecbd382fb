import { useTranslation } from 'react-i18next';
import { useNavigation } from 'react-router';
import { useUnderWay } from '../stores/under-way.ts';
import classes from './shell.module.css';

/** A line at the top while the program of the next page or dialog is on its way: without it a click seems lost. */
export function PageProgress() {
  const { t } = useTranslation('shell');
  const isPageThere = useNavigation().state === 'idle';
  const arePartsThere = useUnderWay(({ parts }) => parts === 0);
  if (isPageThere && arePartsThere) return null;
  return <div role="progressbar" aria-label={t('loading')} aria-busy="true" className={classes['progress'] ?? ''} />;
}
