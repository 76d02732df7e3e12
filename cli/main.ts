import { readEnvironment } from './config.ts'
import { interrupt } from './interrupt.ts'
import { run } from './program.ts'

process.on('SIGINT', interrupt)
await run(process.argv.slice(2), readEnvironment())
