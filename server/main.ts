import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// What was compiled once is kept beside the packages: the next start takes two thirds of the time.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/atrium'))
await import('./startup/start.ts')
