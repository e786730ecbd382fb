import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ImportDialog } from '../../core/outbounds/import-dialog.tsx';
import { ApplyPlanDialog } from '../../plans/apply-plan-dialog.tsx';
import { RecipeDialog } from '../../inbounds/recipe-dialog.tsx';
import { ExternalLinkDialog } from '../drawer/external-link-dialog.tsx';
import { AddManyDialog } from './add-many-dialog.tsx';
import { AdjustDialog } from './adjust-dialog.tsx';
import { GivePlanDialog } from './give-plan-dialog.tsx';
import { GroupChangeDialog } from './group-change-dialog.tsx';
import { ImportDialog as ImportClientsDialog } from './import-dialog.tsx';
import { InboundsDialog } from './inbounds-dialog.tsx';
import { planRow } from '../../plans/testing-plan.ts';

const handleClose = vi.fn();

it.each([
  ['Add many clients', AddManyDialog, 'Names begin with'],
  ['Adjust clients', () => <AdjustDialog emails={['anna']} onClose={handleClose} />, 'Days to add'],
  ['External link', () => <ExternalLinkDialog email="anna" link={null} onClose={handleClose} />, '^Link'],
  ['Import from link', ImportDialog, 'Share links'],
  ['Add inbound', RecipeDialog, '^Name'],
])('%s asks before typed text is lost', async (_, Dialog, label) => {
  handleClose.mockClear();
  await renderPage(<Dialog onClose={handleClose} />, {});
  await userEvent.type(await screen.findByLabelText(new RegExp(label)), '5');
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  expect(handleClose).not.toHaveBeenCalled();
});

const PLAN = planRow({ clientCount: 1 });
const INBOUND = { id: 1, remark: 'main', tag: 'in-443-tcp', protocol: 'vless', port: 443, enable: true, listen: '' };
const RESPONSES = {
  'GET /panel/api/plans': [PLAN],
  'POST /panel/api/plans/preview/3': { total: 1, changed: 0, parts: {}, clients: [] },
  'GET /panel/api/inbounds/options': [
    { ...INBOUND, tlsFlowCapable: false, ssMethod: '', nodeId: null, nodeAddress: '' },
  ],
};
const expectConfirmation = async (): Promise<void> => {
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  expect(handleClose).not.toHaveBeenCalled();
};

it('changing the group asks before a typed name is lost', async () => {
  handleClose.mockClear();
  await renderPage(<GroupChangeDialog emails={['anna']} groups={[]} onClose={handleClose} />, {});
  await userEvent.type(await screen.findByRole('combobox', { name: 'Group' }), 'vip');
  // The first one closes the list of groups.
  await userEvent.keyboard('{Escape}');
  await expectConfirmation();
});

it('importing clients asks before the chosen file is lost', async () => {
  handleClose.mockClear();
  await renderPage(<ImportClientsDialog onClose={handleClose} />, {});
  await userEvent.upload(document.querySelector('input[type=file]')!, new File(['[]'], 'clients.json'));
  await expectConfirmation();
});

it('a file that was changed since it was chosen says that it has to be chosen again', async () => {
  await renderPage(<ImportClientsDialog onClose={handleClose} />, {});
  const file = new File(['[]'], 'clients.json');
  file.text = () => Promise.reject(new DOMException('permission problems', 'NotReadableError'));
  await userEvent.upload(document.querySelector('input[type=file]')!, file);
  await userEvent.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText(/Choose it again\./)).toBeTruthy();
});

it('attaching to inbounds asks before what was chosen is lost', async () => {
  handleClose.mockClear();
  await renderPage(<InboundsDialog action="attach" emails={['anna']} onClose={handleClose} />, RESPONSES);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Inbounds' }));
  await userEvent.click(await screen.findByRole('option', { name: /main/ }));
  // The first one closes the list.
  await userEvent.keyboard('{Escape}');
  await expectConfirmation();
});

it('giving a plan asks before what was chosen is lost', async () => {
  handleClose.mockClear();
  await renderPage(<GivePlanDialog emails={['anna']} onClose={handleClose} />, RESPONSES);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Plan' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Gold' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await screen.findByRole('button', { name: 'Discard' });
  expect(handleClose).not.toHaveBeenCalled();
});

it('applying a plan asks before a typed number is lost', async () => {
  handleClose.mockClear();
  await renderPage(<ApplyPlanDialog plan={PLAN} isOffer={false} onClose={handleClose} />, RESPONSES);
  await userEvent.type(await screen.findByLabelText('Days added to terms that run'), '5');
  await expectConfirmation();
});

it('days that nobody has are refused at their field, in its own words', async () => {
  const { sent } = await renderPage(<AdjustDialog emails={['anna']} onClose={handleClose} />, {});
  await userEvent.type(await screen.findByLabelText('Days to add'), '99999999');
  await userEvent.click(screen.getByRole('button', { name: 'Adjust' }));
  expect(screen.getByText(/^A whole number from/)).toBeDefined();
  expect(sent).toEqual([]);
});
