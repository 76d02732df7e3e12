import module from 'node:module'
import { join } from 'node:path'

// Older versions can't run the modules below.
const NODE_MAJOR_MIN = 24

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  console.error(`Atrium's server needs Node ${NODE_MAJOR_MIN}. Start it with \`npm start\`.`)
  process.exit(1)
}

// Caches compiled modules beside the packages: later starts take a third of the time. This file is JavaScript, since a
// TypeScript entry point would load the compiler, which occupies 20 MB, before the cache is enabled.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/atrium'))
const { currentProgram } = await import('../build/current-bundle.js')
await import(currentProgram('server'))
