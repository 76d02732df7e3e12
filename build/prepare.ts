import { join } from 'node:path'
import { build } from 'vite'
import { LANGUAGES } from '../dashboard/bundling/translate/catalogue.ts'
import { bundlePrograms } from './bundle.ts'
import { PROJECT } from './current-bundle.js'

/** `npm run prepare`, which `npm ci` runs: builds the dashboard in every language, and beside it the server and the CLI. */
await Promise.all([buildDashboard(), bundlePrograms()])

/** One language after the other: the first build empties the folder, and has compressed the files that all languages share. */
async function buildDashboard(): Promise<void> {
  for (const mode of ['production', ...LANGUAGES])
    await build({ root: join(PROJECT, 'dashboard'), mode, logLevel: 'warn' })
}
