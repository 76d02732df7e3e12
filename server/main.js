import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { currentProgram } from '../build/current-bundle.js'

// Caches compiled modules beside the packages: later starts take a third of the time. This file is JavaScript, since a
// TypeScript entry point would load the compiler, which occupies 20 MB, before the cache is enabled.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/atrium'))
await import(currentProgram('server'))
