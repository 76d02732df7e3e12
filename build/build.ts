import { join } from 'node:path'
import { build } from 'vite'
import { LANGUAGES } from '../dashboard/bundling/translate/catalogue.ts'
import { bundlePrograms } from './bundle.ts'
import { PROJECT } from './current-bundle.js'

export async function buildAll(): Promise<void> {
  await Promise.all([buildDashboard(), bundlePrograms()])
}

/** One at a time: the first build empties the folder and compresses the files all languages share. */
async function buildDashboard(): Promise<void> {
  for (const mode of ['production', ...LANGUAGES])
    await build({ root: join(PROJECT, 'dashboard'), mode, logLevel: 'warn' })
}
