import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLeaveConfirmation } from '../../forms/draft/use-leave-confirmation.ts';
import { Page } from '../../ui/layout/page.tsx';
import { BalancersSection } from './balancers/balancers-section.tsx';
import { BasicsSection } from './basics/basics-section.tsx';
import { DnsSection } from './dns/dns-section.tsx';
import { DraftBar } from './draft/draft-bar.tsx';
import { DraftView } from './draft/draft-view.tsx';
import { discardDraft, useIsUnsaved } from './model/draft.ts';
import { OutboundsSection } from './outbounds/outbounds-section.tsx';
import { ProvidersSection } from './providers/providers-section.tsx';
import { RoutingSection } from './routing/routing-section.tsx';
import { CoreNav, type Section } from './section-nav.tsx';
import { StateSection } from './state/state-section.tsx';
import { SubscriptionsSection } from './subscriptions/subscriptions-section.tsx';
import { TemplateSection } from './template-section.tsx';

const SECTIONS: Readonly<Record<Section, ComponentType>> = {
  state: StateSection,
  basics: BasicsSection,
  routing: RoutingSection,
  outbounds: OutboundsSection,
  balancers: BalancersSection,
  dns: DnsSection,
  subscriptions: SubscriptionsSection,
  providers: ProvidersSection,
  template: TemplateSection,
};
/** These sections work on the server, not on the draft, so a template that cannot be loaded does not block them. */
const WITHOUT_DRAFT: readonly Section[] = ['state', 'subscriptions'];

/** The core: its state, and one draft of its template across all sections. */
export function CorePage() {
  const { t } = useTranslation('shell');
  const { section: requested = '' } = useParams();
  const section = requested in SECTIONS ? (requested as Section) : 'state';
  const Shown = SECTIONS[section];
  useLeaveConfirmation(useIsUnsaved(), isOnCorePage, discardDraft);
  return (
    <Page title={t('nav.core')}>
      <CoreNav current={section} />
      {WITHOUT_DRAFT.includes(section) ? (
        <Shown />
      ) : (
        <DraftView>
          <Shown />
        </DraftView>
      )}
      <DraftBar />
    </Page>
  );
}

const isOnCorePage = (pathname: string): boolean => /^\/panel\/core(\/|$)/.test(pathname);
