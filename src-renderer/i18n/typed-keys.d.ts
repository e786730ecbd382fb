import 'i18next';

declare module 'i18next' {
  /** English is the source: a key that it lacks does not compile. */
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      about: typeof import('./en/later/administration/about.json');
      apiReference: typeof import('./en/later/administration/apiReference.json');
      backups: typeof import('./en/later/administration/backups.json');
      certificates: typeof import('./en/later/administration/certificates.json');
      checklist: typeof import('./en/checklist.json');
      clientActions: typeof import('./en/clientActions.json');
      clientTools: typeof import('./en/clientTools.json');
      clients: typeof import('./en/clients.json');
      connect: typeof import('./en/later/panels/connect.json');
      core: typeof import('./en/later/administration/core.json');
      dates: typeof import('./en/later/shared/dates.json');
      desktop: typeof import('./en/desktop.json');
      firstRun: typeof import('./en/later/administration/firstRun.json');
      groups: typeof import('./en/groups.json');
      home: typeof import('./en/later/panels/home.json');
      hosts: typeof import('./en/later/inbounds/hosts.json');
      inboundEditor: typeof import('./en/later/inbounds/inboundEditor.json');
      inboundTools: typeof import('./en/later/inbounds/inboundTools.json');
      inbounds: typeof import('./en/inbounds.json');
      journal: typeof import('./en/later/administration/journal.json');
      jsonEditor: typeof import('./en/jsonEditor.json');
      lock: typeof import('./en/later/administration/lock.json');
      logs: typeof import('./en/logs.json');
      nodes: typeof import('./en/later/panels/nodes.json');
      notifications: typeof import('./en/later/administration/notifications.json');
      overview: typeof import('./en/overview.json');
      pageLooks: typeof import('./en/later/administration/pageLooks.json');
      plans: typeof import('./en/later/clients/plans.json');
      recipes: typeof import('./en/later/inbounds/recipes.json');
      refusals: typeof import('./en/later/shared/refusals.json');
      rowVerbs: typeof import('./en/later/clients/rowVerbs.json');
      sessions: typeof import('./en/later/clients/sessions.json');
      settings: typeof import('./en/settings.json');
      shell: typeof import('./en/shell.json');
      signIn: typeof import('./en/signIn.json');
      standby: typeof import('./en/later/panels/standby.json');
      traffic: typeof import('./en/later/clients/traffic.json');
      vantage: typeof import('./en/later/panels/vantage.json');
      views: typeof import('./en/later/clients/views.json');
      words: typeof import('./en/words.json');
      works: typeof import('./en/later/panels/works.json');
    };
  }
}
