@rem The scripts of package.json start with "exec", so that npm's signals reach the program and not a shell in between.
@rem cmd.exe has no such word; it finds this file and runs the rest of the line.
@%*
