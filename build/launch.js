// Old Node versions must be able to run this file: it starts a program with the Node of the `node` package if the system
// Node does not run TypeScript.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')

/** @type {(name: 'server' | 'cli', url: string) => Promise<void>} */
export async function launch(name, url) {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
    // The compile cache halves the start time of later runs.
    module.enableCompileCache(join(ROOT, 'node_modules/.cache/atrium'))
    const { currentProgram } = await import('./current-bundle.js')
    await import(currentProgram(name))
    return
  }
  const command = name === 'cli' ? 'atrium' : 'atrium-server'
  const node = bundledNode()
  if (!node) {
    console.error(
      `${command} requires Node ${NODE_MAJOR_MIN} or newer: run npm ci in its folder to install it`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl+C to both processes: the child handles it, and this one waits for its exit code.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(`${command} cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)))
}

function bundledNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}
