/**
 * A reader of the output that has gone away (`… | head -1`) is no error, and the work goes on: it may change a database.
 * Any other failure, such as a full disk under a redirected output, is one, and ends the program.
 */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      if (stream === process.stdout) process.stderr.write(`What this prints cannot be written: ${error.message}\n`);
      process.exit(1);
    });
}
