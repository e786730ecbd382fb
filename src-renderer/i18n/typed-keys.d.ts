import 'i18next';

declare module 'i18next' {
  /** English is the source: a key that it lacks does not compile. */
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      about: typeof import('./en/later/about.json');
      apiReference: typeof import('./en/later/apiReference.json');
      backups: typeof import('./en/later/backups.json');
      certificates: typeof import('./en/later/certificates.json');
      checklist: typeof import('./en/checklist.json');
      clientActions: typeof import('./en/clientActions.json');
      clientTools: typeof import('./en/clientTools.json');
      clients: typeof import('./en/clients.json');
      core: typeof import('./en/later/core.json');
      dates: typeof import('./en/later/dates.json');
      desktop: typeof import('./en/desktop.json');
      firstRun: typeof import('./en/later/firstRun.json');
      groups: typeof import('./en/groups.json');
      home: typeof import('./en/later/home.json');
      hosts: typeof import('./en/later/hosts.json');
      inboundEditor: typeof import('./en/later/inboundEditor.json');
      inboundTools: typeof import('./en/later/inboundTools.json');
      inbounds: typeof import('./en/inbounds.json');
      journal: typeof import('./en/later/journal.json');
      jsonEditor: typeof import('./en/jsonEditor.json');
      lock: typeof import('./en/later/lock.json');
      logs: typeof import('./en/logs.json');
      nodes: typeof import('./en/later/nodes.json');
      notifications: typeof import('./en/later/notifications.json');
      overview: typeof import('./en/overview.json');
      pageLooks: typeof import('./en/later/pageLooks.json');
      plans: typeof import('./en/later/plans.json');
      recipes: typeof import('./en/later/recipes.json');
      refusals: typeof import('./en/later/refusals.json');
      rowVerbs: typeof import('./en/later/rowVerbs.json');
      sessions: typeof import('./en/later/sessions.json');
      settings: typeof import('./en/settings.json');
      shell: typeof import('./en/shell.json');
      signIn: typeof import('./en/signIn.json');
      standby: typeof import('./en/later/standby.json');
      traffic: typeof import('./en/later/traffic.json');
      vantage: typeof import('./en/later/vantage.json');
      views: typeof import('./en/later/views.json');
      words: typeof import('./en/words.json');
      works: typeof import('./en/later/works.json');
    };
  }
}
