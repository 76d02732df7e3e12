#!/usr/bin/env node
// The one file that old Node versions must be able to read: it finds a Node that runs TypeScript, the one that comes
// with the dependencies, and hands over to it. Newer ones go straight on.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const self = fileURLToPath(import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR_MIN) {
  // What was compiled once is kept beside the packages: the next start takes half the time.
  module.enableCompileCache(join(dirname(self), '../node_modules/.cache/atrium'))
  await import('./main.ts')
} else {
  const node = bundledNode()
  if (!node) {
    console.error(
      `atrium needs Node ${NODE_MAJOR_MIN} or newer: run npm ci in its folder, which brings it along`,
    )
    process.exit(1)
  }
  const child = spawn(node, [self, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both: the child decides what it means, and this waits for its verdict.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(`atrium cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(signal ? 130 : code))
}

function bundledNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}
