/** The layer table of docs/architecture.md as a check: each rule names who may not import what, and why. */
const TEST = '\\.test\\.tsx?$|/testing-[^/]+\\.tsx?$';
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle of values means two modules have no clear order.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-packages-on-demand',
      comment:
        'A CommonJS package that is imported on demand has no names in the bundled server: a file of ours imports it by ' +
        'name, and is imported on demand.',
      severity: 'error',
      from: { path: '^src-server', pathNot: '^src-server/cli' },
      to: { path: 'node_modules', pathNot: 'node_modules/koa-body', dynamic: true },
    },
    {
      name: 'contract-imports-zod-only',
      comment: 'Contracts run in every environment: zod and other contracts, nothing else.',
      severity: 'error',
      from: { path: '^src-server/(contract/|domains/.+/contract\\.ts)', pathNot: TEST },
      to: { pathNot: '^src-server/(contract/|domains/.+/contract\\.ts)|node_modules/zod' },
    },
    {
      name: 'pure-code-has-no-io',
      comment: 'present.ts, links/ and core/config are plain functions: contracts, types of rows and each other only.',
      severity: 'error',
      from: { path: '^src-server/(links/|core/config/|domains/[^/]+/present\\.ts)', pathNot: TEST },
      to: {
        pathNot:
          '^src-server/(contract/|links/|core/config/|store/schema\\.ts|domains/.+/(contract|present|[a-z-]*rules?|.*-types)\\.ts)|node_modules/(zod|ipaddr\\.js)|^(node:)?(crypto|net|path)$',
      },
    },
    {
      name: 'repositories-use-the-store-only',
      comment: 'Repositories speak SQL; rules live in services.',
      severity: 'error',
      from: { path: '^src-server/domains/.+/repository[^/]*\\.ts$', pathNot: TEST },
      to: { path: '^src-server/(http|core|runtime|schedule)/|^src-server/domains/.+/(service|routes)' },
    },
    {
      name: 'services-know-no-http',
      severity: 'error',
      from: {
        path: '^src-server/(domains|core|runtime|store|schedule)/',
        pathNot: `${TEST}|^src-server/domains/.+/(routes|contract|present)\\.ts`,
      },
      to: { path: '^src-server/http/|/routes\\.ts$|node_modules/(koa|@koa)' },
    },
    {
      name: 'only-app-wires',
      comment: 'app.ts, its assembly and the entry points build the object graph; nobody imports them back.',
      severity: 'error',
      from: {
        path: '^src-server/',
        pathNot: `^src-server/(app|main)\\.ts$|^src-server/(assembly|cli)/|${TEST}|^src-server/testing/`,
      },
      to: { path: '^src-server/(app|main)\\.ts$|^src-server/assembly/' },
    },
    {
      name: 'core-and-store-are-leaves',
      comment: 'The core and the store know no domain; domains come to them.',
      severity: 'error',
      from: { path: '^src-server/(core|store)/', pathNot: TEST },
      to: { path: '^src-server/(domains|runtime|http|schedule)/', pathNot: '/contract\\.ts$' },
    },
    {
      name: 'tools-are-leaves',
      comment: 'Timers, the network, the log, failpoints and the socket hub serve everybody and know nobody.',
      severity: 'error',
      from: { path: '^src-server/(schedule|net|logging|failpoints|live|certificates)/', pathNot: TEST },
      to: { path: '^src-server/(domains|runtime|http|core/(?!config/))', pathNot: '/contract\\.ts$' },
    },
    {
      name: 'changes-go-through-runtime',
      comment: 'A direct core call from a domain passes local tests and breaks remote nodes.',
      severity: 'error',
      from: { path: '^src-server/domains/(inbounds|clients|groups|hosts)/', pathNot: TEST },
      to: { path: '^src-server/core/(?!config/)' },
    },
    {
      name: 'renderer-knows-contracts-only',
      comment:
        'The interface runs in browsers and in a sandboxed window: contracts and its own code, nothing of the server or of Node.',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: `\\.test\\.tsx?$|^src-renderer/(vite\\.config|i18n/keys\\.test)` },
      to: {
        path: '^src-server/(?!contract/|domains/.+/contract\\.ts)|^electron$|^(node:)?(fs|path|http|https|net|os|crypto|child_process|url)(/|$)',
      },
    },
    {
      name: 'main-owns-no-business',
      comment:
        'The desktop shell asks the API: contracts and the words it shares with the panel process, no part of the server; whether a killed panel left a core, and whether two inbounds listen in one place.',
      severity: 'error',
      from: { path: '^src-main/', pathNot: `${TEST}|^src-main/panels/reachability/` },
      to: {
        path: '^src-server/(?!contract/|domains/.+/contract\\.ts|cli/(data-dir|launch/(exit-codes|restart-delay|stop-request|panel-memory|parent-port))\\.ts|core/(process/recorded-core|config/inbound/listen-address)\\.ts)|^src-renderer/',
      },
    },
    {
      name: 'reachability-tries-as-the-panel-does',
      comment:
        'Trials from this computer read links and run temporary cores with the code that tests outbounds in the panel.',
      severity: 'error',
      from: { path: '^src-main/panels/reachability/', pathNot: TEST },
      to: {
        path: '^src-server/(?!contract/|concurrency\\.ts|net/proxy/socks-handshake\\.ts|links/parse/|core/(probe|binary)/)|^src-renderer/',
      },
    },
    {
      name: 'policy-knows-no-electron',
      comment: 'What decides is tested without a window.',
      severity: 'error',
      from: { path: '^src-main/(guards|live|lock|preferences|panels)/|^src-main/supervisor/(state|supervisor)\\.ts' },
      to: { path: 'node_modules/electron/|^electron$' },
    },
    {
      name: 'shell-is-not-imported',
      comment: 'The interface knows the bridge of the shell and nothing behind it; the server knows neither.',
      severity: 'error',
      from: { path: '^src-(server|renderer)/' },
      to: { path: '^src-main/(?!bridge/)' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: `${TEST}|^e2e/|^bench/|^src-server/testing/` },
      to: { path: `${TEST}|^src-server/testing/|^e2e/` },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'src-server/core/api/generated/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
