import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';

/** Actions on this panel together with another one; only the window knows several panels. */
export function PanelJobs({ id }: { id: string }) {
  const { t } = useTranslation('works');
  const { pathname } = useLocation();
  if (!pathname.startsWith('/desktop')) return null;
  const name = encodeURIComponent(id);
  return (
    <>
      <Menu.Item component={Link} to={`/desktop/transfer?from=${name}`}>
        {t('menu.transferFrom')}
      </Menu.Item>
      <Menu.Item component={Link} to={`/desktop/compare?left=${name}`}>
        {t('menu.compareWith')}
      </Menu.Item>
    </>
  );
}
