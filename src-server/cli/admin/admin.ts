import { outliveReader } from '../outlive-reader.ts';
import { runAdmin } from './run-admin.ts';

outliveReader();
process.exitCode = await runAdmin(process.argv.slice(2), process);
