import { readEnvironment } from './config.ts'
import { EXIT_CODES } from './failure.ts'
import { interrupt } from './interrupt.ts'
import { run } from './program.ts'

process.on('SIGINT', interrupt)
// The reader of a pipe has closed it, as `head` does: end as other programs do, which SIGPIPE ends.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(EXIT_CODES['pipe closed'])
  })
await run(process.argv.slice(2), readEnvironment())
