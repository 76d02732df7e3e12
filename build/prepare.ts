import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFolder, currentProgram, PROJECT } from './current-bundle.js'
import { removeUnusedFiles } from './remove-unused-files.ts'

/** `npm run prepare`, run by `npm ci`. */
if (hasBuildTools()) {
  const { buildAll } = await import('./build.ts')
  await Promise.all([buildAll(), removeUnusedFiles(join(PROJECT, 'node_modules'))])
} else if (!hasCurrentBuild()) {
  console.error(
    'Atrium has not been built, and npm ci --omit=dev installs no build tools.\n' +
      'Run "npm ci && npm prune --omit=dev --no-save" instead.',
  )
  process.exitCode = 1
}

function hasBuildTools(): boolean {
  return existsSync(join(PROJECT, 'node_modules/vite'))
}

function hasCurrentBuild(): boolean {
  return (
    existsSync(join(PROJECT, 'dashboard/dist/index.html')) &&
    currentProgram('server').includes(bundleFolder('server'))
  )
}
