import type checklist from './en/checklist.json';
import type certificates from './en/later/certificates.json';
import type clients from './en/clients.json';
import type clientTools from './en/clientTools.json';
import type clientActions from './en/clientActions.json';
import type desktop from './en/desktop.json';
import type core from './en/later/core.json';
import type groups from './en/groups.json';
import type home from './en/later/home.json';
import type hosts from './en/later/hosts.json';
import type inboundEditor from './en/later/inboundEditor.json';
import type inbounds from './en/inbounds.json';
import type journal from './en/later/journal.json';
import type jsonEditor from './en/jsonEditor.json';
import type nodes from './en/later/nodes.json';
import type notifications from './en/later/notifications.json';
import type overview from './en/overview.json';
import type settings from './en/settings.json';
import type logs from './en/logs.json';
import type firstRun from './en/later/firstRun.json';
import type about from './en/later/about.json';
import type apiReference from './en/later/apiReference.json';
import type rowVerbs from './en/later/rowVerbs.json';
import type inboundTools from './en/later/inboundTools.json';
import type traffic from './en/later/traffic.json';
import type plans from './en/later/plans.json';
import type pageLooks from './en/later/pageLooks.json';
import type sessions from './en/later/sessions.json';
import type views from './en/later/views.json';
import type recipes from './en/later/recipes.json';
import type refusals from './en/later/refusals.json';
import type shell from './en/shell.json';
import type signIn from './en/signIn.json';

declare module 'i18next' {
  /** English is the source: a key that it lacks does not compile. */
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      checklist: typeof checklist;
      certificates: typeof certificates;
      clients: typeof clients;
      clientTools: typeof clientTools;
      clientActions: typeof clientActions;
      desktop: typeof desktop;
      core: typeof core;
      groups: typeof groups;
      home: typeof home;
      hosts: typeof hosts;
      inboundEditor: typeof inboundEditor;
      inbounds: typeof inbounds;
      journal: typeof journal;
      jsonEditor: typeof jsonEditor;
      nodes: typeof nodes;
      notifications: typeof notifications;
      overview: typeof overview;
      settings: typeof settings;
      logs: typeof logs;
      firstRun: typeof firstRun;
      about: typeof about;
      apiReference: typeof apiReference;
      rowVerbs: typeof rowVerbs;
      inboundTools: typeof inboundTools;
      traffic: typeof traffic;
      plans: typeof plans;
      pageLooks: typeof pageLooks;
      sessions: typeof sessions;
      views: typeof views;
      recipes: typeof recipes;
      refusals: typeof refusals;
      shell: typeof shell;
      signIn: typeof signIn;
    };
  }
}
