#!/usr/bin/env node
// cli.js - npx xdscope; see command.js.
import { main } from './command.js';

const { status, output, complaint } = await main(process.argv.slice(2));
process.stderr.write(complaint);
process.stdout.write(output);
process.exitCode = status;
