/**
 * Runs a command of this project with its own Node, after installing the dependencies when they are missing or do not
 * match the lock file: `node ensure-installed.mjs src-server/cli/start.ts --flag`. Plain JavaScript without
 * dependencies for Node 20 and later, because a fresh clone has nothing else. All of its own output goes to stderr.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
/** Beside the modules, not in them: an installation deletes that folder first. */
const LOCK = join(ROOT, '.installing');
const LOOK_AGAIN_MS = 200;

/**
 * Whether the installed packages match the lock file. Optional packages may be absent: they are for other systems. The
 * outcome is cached with a digest of both files: parsing them takes a tenth of a start.
 */
export function isInstalled(root) {
  const texts = [join(root, 'package-lock.json'), join(root, 'node_modules', '.package-lock.json')].map(readText);
  const [lock, installed] = texts;
  if (lock === null || installed === null) return false;
  const digest = createHash('sha256').update(lock).update('\0').update(installed).digest('hex');
  const mark = join(root, 'node_modules', '.switchyard-installed');
  if (readText(mark) === digest) return true;
  if (!holds(readPackages(lock), readPackages(installed))) return false;
  try {
    writeFileSync(mark, digest);
  } catch {
    // The folder may be read-only for us: then the next start compares again.
  }
  return true;
}

function holds(wanted, present) {
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function readPackages(text) {
  try {
    return JSON.parse(text).packages ?? null;
  } catch {
    return null;
  }
}

/**
 * Does work while no other command does work under the same lock file, which names the process that holds it; a dead
 * process holds nothing.
 */
export async function whileLocked(file, work, onWait) {
  for (let isFirst = true; !take(file); isFirst = false) {
    if (isFirst) onWait();
    await setTimeout(LOOK_AGAIN_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @returns whether the lock is this process's own now */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = Number(readText(file));
  if (holder === 0 || isAlive(holder)) return false;
  // Moved before it is deleted: of several that saw the dead holder only one moves its lock, and notices if it was
  // another's.
  const moved = `${file}.${process.pid}`;
  try {
    renameSync(file, moved);
  } catch {
    return false;
  }
  if (Number(readText(moved)) === holder) rmSync(moved, { force: true });
  else renameSync(moved, file);
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs a program to its end with signals passed on. @returns its exit code. */
function run(command, args, options) {
  return new Promise((settle) => {
    const child = spawn(command, args, { cwd: ROOT, ...options });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
    child.once('error', (error) => {
      process.stderr.write(`${command} cannot be started: ${error.message}\n`);
      settle(127);
    });
    child.once('close', (code) => settle(code ?? 1));
  });
}

async function install() {
  process.stderr.write('Installing dependencies (once; later starts skip this) …\n');
  const npm = process.env.npm_execpath;
  // The project's npm settings keep output off stdout; here it is wanted, on stderr. Without warnings: the commands run
  // on the project's own Node, whichever one npm finds too old for the packages.
  const args = ['ci', '--json=false', '--no-audit', '--no-fund', '--loglevel=error'];
  const stdio = ['ignore', process.stderr, process.stderr];
  const code =
    npm !== undefined && /\.c?js$/.test(npm)
      ? await run(process.execPath, [npm, ...args], { stdio })
      : await run('npm', args, { stdio, shell: process.platform === 'win32' });
  if (code !== 0) process.stderr.write('The dependencies could not be installed; see above. Repeat with: npm ci\n');
  return code;
}

async function main([target, ...args]) {
  if (target === undefined) {
    process.stderr.write('Usage: node ensure-installed.mjs FILE [arguments]\n');
    return 64;
  }
  const file = resolve(ROOT, target);
  if (!isInstalled(ROOT)) {
    const wait = () =>
      process.stderr.write(`Another command installs the dependencies; waiting for it. If none does, delete ${LOCK}\n`);
    // If another command installed it meanwhile, it is not installed again.
    const code = await whileLocked(LOCK, () => (isInstalled(ROOT) ? 0 : install()), wait);
    if (code !== 0) return code;
  } else if (Number(process.versions.node.split('.')[0]) >= 24) {
    // Two thirds of a command's start is compiling its TypeScript; the cache keeps the result.
    nodeModule.enableCompileCache();
    // No process in between: signals and standard streams reach the command directly.
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
    return undefined;
  }
  const bin = join(MODULES, '.bin');
  const node = join(MODULES, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
  return run(node, [file, ...args], { stdio: 'inherit', env });
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const code = await main(process.argv.slice(2));
  // Undefined: the command runs in this process and sets its own.
  if (code !== undefined) process.exitCode = code;
}
