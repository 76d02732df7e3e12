import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Pinned, so that two runs compare the same programs. */
const PACKAGES = {
  'parse-server': '9.10.0',
  '@parse/fs-files-adapter': '3.0.0',
  directus: '12.4.0',
}

/**
 * Directus depends on a version without binaries for current Node. The package runs extensions and scripts, which no
 * benchmark uses.
 */
const OVERRIDES = { 'isolated-vm': '6.1.2' }

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024

/** Reuses an installation with the same versions. */
export async function installPeers(): Promise<string> {
  const folder = join(homedir(), '.cache', 'atrium-bench', 'peers')
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES, overrides: OVERRIDES }, null, 2)
  const markerPath = join(folder, 'installed.json')
  if ((await readFile(markerPath, 'utf8').catch(() => '')) === manifest) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), manifest)
  console.log(`Installing Parse Server and Directus into ${folder} …`)
  // Skips scripts, which would compile drivers for other databases. The packages in use ship binaries.
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...options], {
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  await writeFile(markerPath, manifest)
  return folder
}
